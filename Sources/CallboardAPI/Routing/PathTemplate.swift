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
