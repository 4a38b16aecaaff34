/// A route's path, such as `/v1/directors/{director}/sections/{section}`: literal segments and named parameters.
package struct PathTemplate: Sendable, Hashable, CustomStringConvertible {
    /// One segment between two slashes.
    package enum Segment: Sendable, Hashable {
        /// A segment that must be there to the letter.
        case literal(String)
        /// A segment that is taken, percent-decoded, as the parameter of this name.
        case parameter(String)
        /// The same with a custom method behind it, such as `{delivery}:retry`, which is not part of the parameter.
        case suffixed(String, suffix: String)
    }

    /// The segments in order; none for `/`.
    package let segments: [Segment]

    /// Reads a template; braces around a segment, or around all of it but a suffix, make it a parameter. A slash at the end
    /// is a segment without text; `/` alone has no segment.
    package init(_ text: String) {
        let parts = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        segments = parts == [""] ? [] : parts.map(Segment.init)
    }

    /// The names of the parameters, in the order in which their values arrive in `RequestContext.parameters`.
    package var parameterNames: [String] {
        segments.compactMap { segment in
            switch segment {
            case .literal: nil
            case .parameter(let name), .suffixed(let name, _): name
            }
        }
    }

    /// Whether the path is that of a director's adapters, or of one.
    var leadsToAdapters: Bool {
        [4, 5].contains(segments.count)
            && [.literal("adapters"), .literal("header-footer-adapters")].contains(segments[3])
    }

    /// Whether the path is that of the hooks of a director or of its adapters, or of one; not of a row's.
    var leadsToHooks: Bool {
        switch segments.count {
        case 4, 5: [.literal("events"), .literal("scroll-events")].contains(segments[3])
        case 6, 7: segments[5] == .literal("events") && segments[3] != .literal("sections")
        default: false
        }
    }

    /// The template as OpenAPI writes it.
    package var description: String {
        segments.isEmpty ? "/" : segments.map { "/\($0.description)" }.joined()
    }
}

extension PathTemplate.Segment: CustomStringConvertible {
    /// Reads what stands between two slashes.
    fileprivate init(_ part: Substring) {
        guard part.hasPrefix("{"), let end = part.firstIndex(of: "}") else {
            self = .literal(String(part))
            return
        }
        let name = String(part[..<end].dropFirst())
        let suffix = part[end...].dropFirst()
        self = suffix.isEmpty ? .parameter(name) : .suffixed(name, suffix: String(suffix))
    }

    /// The segment as OpenAPI writes it.
    package var description: String {
        switch self {
        case .literal(let literal): literal
        case .parameter(let name): "{\(name)}"
        case .suffixed(let name, let suffix): "{\(name)}\(suffix)"
        }
    }
}
