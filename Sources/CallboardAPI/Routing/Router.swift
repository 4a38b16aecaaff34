import HTTPTypes
import Notation

/// Finds the route of a request: a tree of path segments with the routes of each path at its leaves.
///
/// A literal segment wins over a parameter in the same place, so `…/sections:move` never reads as a section's name; a
/// parameter with a suffix wins over one without.
/// Built once at start and immutable after it. A look-up compares each segment's beginning with those of the few literals of
/// its place, which is quicker than hashing it. A class, since each request's look-up of a value would copy six arrays' references.
final class Router: Sendable {
    /// What a path led to.
    enum Match {
        /// The route, and the values of the path's parameters in order.
        case route(Route, parameters: [String])
        /// The path exists but not with this method; the methods it has, for `Allow`.
        case wrongMethod(allowed: [HTTPRequest.Method])
        /// No such path.
        case unknown
    }

    /// A place in the tree. Its literals and routes are ranges of the arrays below: walking the tree touches no
    /// reference count.
    private struct Node {
        var literals = 0..<0
        var routes = 0..<0
        var suffixes = 0..<0
        var parameter: Int?
    }

    /// The tree while it is built, and afterwards.
    private struct Tree {
        var nodes: [Node] = []
        var literals: [String] = []
        var literalBeginnings: [UInt64] = []
        var literalNodes: [Int] = []
        var suffixes: [String] = []
        var suffixNodes: [Int] = []
        var routes: [Route] = []

        /// Adds the node of the routes that share their first `depth` segments, and those below it.
        mutating func add(_ members: [Route], depth: Int) -> Int {
            var byLiteral: [(text: String, routes: [Route])] = []
            var bySuffix: [(text: String, routes: [Route])] = []
            var byParameter: [Route] = []
            let index = nodes.count
            nodes.append(Node())
            let firstRoute = routes.count
            for route in members {
                guard depth < route.path.segments.count else {
                    routes.append(route)
                    continue
                }
                switch route.path.segments[depth] {
                case .parameter: byParameter.append(route)
                case .suffixed(_, let suffix): Self.add(route, to: &bySuffix, under: suffix)
                case .literal(let text): Self.add(route, to: &byLiteral, under: text)
                }
            }
            nodes[index].routes = firstRoute..<routes.count
            nodes[index].literals = literals.count..<literals.count + byLiteral.count
            let firstLiteral = literals.count
            literals += byLiteral.map(\.text)
            literalBeginnings += byLiteral.map { Router.beginning(of: $0.text) }
            literalNodes += byLiteral.map { _ in 0 }
            nodes[index].suffixes = suffixes.count..<suffixes.count + bySuffix.count
            let firstSuffix = suffixes.count
            suffixes += bySuffix.map(\.text)
            suffixNodes += bySuffix.map { _ in 0 }
            for (offset, group) in byLiteral.enumerated() {
                literalNodes[firstLiteral + offset] = add(group.routes, depth: depth + 1)
            }
            for (offset, group) in bySuffix.enumerated() {
                suffixNodes[firstSuffix + offset] = add(group.routes, depth: depth + 1)
            }
            if !byParameter.isEmpty { nodes[index].parameter = add(byParameter, depth: depth + 1) }
            return index
        }

        private static func add(_ route: Route, to groups: inout [(text: String, routes: [Route])], under text: String)
        {
            if let known = groups.firstIndex(where: { $0.text == text }) {
                groups[known].routes.append(route)
            } else {
                groups.append((text, [route]))
            }
        }
    }

    private let tree: Tree

    /// Builds the tree from the table of routes.
    init(_ routes: [Route]) {
        var tree = Tree()
        _ = tree.add(routes, depth: 0)
        self.tree = tree
    }

    /// The route for a method and a path's decoded segments.
    ///
    /// `HEAD` finds the route of `GET` (RFC 9110, section 9.3.2).
    func match(_ method: HTTPRequest.Method, _ segments: [String]) -> Match {
        var node = tree.nodes[0]
        var parameters: [String] = []
        parameters.reserveCapacity(3)
        for segment in segments {
            let beginning = Self.beginning(of: segment)
            let literal = node.literals.first {
                tree.literalBeginnings[$0] == beginning && tree.literals[$0].isVerbatim(segment)
            }
            if let literal {
                node = tree.nodes[tree.literalNodes[literal]]
            } else if let (next, parameter) = suffixed(segment, in: node.suffixes) {
                parameters.append(parameter)
                node = tree.nodes[next]
            } else if let next = node.parameter, !segment.isEmpty {
                parameters.append(segment)
                node = tree.nodes[next]
            } else {
                return .unknown
            }
        }
        let wanted = method == .head ? .get : method
        if let found = node.routes.first(where: { tree.routes[$0].method == wanted }) {
            return .route(tree.routes[found], parameters: parameters)
        }
        return node.routes.isEmpty ? .unknown : .wrongMethod(allowed: Self.allowed(tree.routes[node.routes]))
    }

    /// A segment's length and its first bytes as one number: segments whose numbers differ are different.
    private static func beginning(of segment: String) -> UInt64 {
        let bytes = segment.utf8.span
        var number = UInt64(bytes.count)
        for index in 0..<min(bytes.count, 6) { number = number << 8 | UInt64(bytes[index]) }
        return number
    }

    /// The node and the parameter of a segment that ends with one of the suffixes.
    private func suffixed(_ segment: String, in range: Range<Int>) -> (node: Int, parameter: String)? {
        for index in range where segment.utf8.last == tree.suffixes[index].utf8.last {
            guard segment.utf8.suffix(tree.suffixes[index].utf8.count).elementsEqual(tree.suffixes[index].utf8) else {
                continue
            }
            let parameter = segment.utf8.dropLast(tree.suffixes[index].utf8.count)
            if !parameter.isEmpty { return (tree.suffixNodes[index], String(Substring(parameter))) }
        }
        return nil
    }

    private static func allowed(_ routes: ArraySlice<Route>) -> [HTTPRequest.Method] {
        var methods = routes.map(\.method)
        if methods.contains(.get) { methods.append(.head) }
        return methods + [.options]
    }
}
