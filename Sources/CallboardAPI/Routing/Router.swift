import HTTPTypes

/// Finds the route of a request: a tree of path segments with the routes of each path at its leaves.
///
/// A literal segment wins over a parameter in the same place, so `…/sections:move` never reads as a section's name.
/// Built once at start and immutable after it. A look-up compares each segment with the few literals of its place, which
/// is quicker than hashing it.
struct Router: Sendable {
    /// What a path led to.
    enum Match {
        /// The route, and the values of the path's parameters in order.
        case route(Route, parameters: [String])
        /// The path exists but not with this method; the methods it has, for `Allow`.
        case wrongMethod(allowed: [HTTPRequest.Method])
        /// No such path.
        case unknown
    }

    private final class Node: Sendable {
        let literals: [(text: String, node: Node)]
        let parameter: Node?
        let routes: [Route]

        init(literals: [(text: String, node: Node)], parameter: Node?, routes: [Route]) {
            self.literals = literals
            self.parameter = parameter
            self.routes = routes
        }
    }

    private let root: Node

    /// Builds the tree from the table of routes.
    init(_ routes: [Route]) {
        root = Self.build(routes, depth: 0)
    }

    private static func build(_ routes: [Route], depth: Int) -> Node {
        var literals: [String: [Route]] = [:]
        var parameter: [Route] = []
        var here: [Route] = []
        for route in routes {
            guard depth < route.path.segments.count else {
                here.append(route)
                continue
            }
            switch route.path.segments[depth] {
            case .literal(let text): literals[text, default: []].append(route)
            case .parameter: parameter.append(route)
            }
        }
        return Node(
            literals: literals.map { ($0, build($1, depth: depth + 1)) },
            parameter: parameter.isEmpty ? nil : build(parameter, depth: depth + 1),
            routes: here
        )
    }

    /// The route for a method and a path's decoded segments.
    ///
    /// `HEAD` finds the route of `GET` (RFC 9110, section 9.3.2).
    func match(_ method: HTTPRequest.Method, _ segments: [String]) -> Match {
        var node = root
        var parameters: [String] = []
        parameters.reserveCapacity(3)
        for segment in segments {
            if let next = node.literals.first(where: { $0.text == segment }) {
                node = next.node
            } else if let next = node.parameter, !segment.isEmpty {
                parameters.append(segment)
                node = next
            } else {
                return .unknown
            }
        }
        let wanted = method == .head ? .get : method
        for route in node.routes where route.method == wanted {
            return .route(route, parameters: parameters)
        }
        return node.routes.isEmpty ? .unknown : .wrongMethod(allowed: Self.allowed(node.routes))
    }

    private static func allowed(_ routes: [Route]) -> [HTTPRequest.Method] {
        var methods = routes.map(\.method)
        if methods.contains(.get) { methods.append(.head) }
        return methods + [.options]
    }
}
