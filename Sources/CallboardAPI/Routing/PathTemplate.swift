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

    /// The segments in order.
    package let segments: [Segment]

    /// Reads a template; braces around a segment, or around all of it but a suffix, make it a parameter.
    package init(_ text: String) {
        segments = text.split(separator: "/").map { part in
            guard part.hasPrefix("{"), let end = part.firstIndex(of: "}") else { return .literal(String(part)) }
            let name = String(part[..<end].dropFirst())
            let suffix = part[end...].dropFirst()
            return suffix.isEmpty ? .parameter(name) : .suffixed(name, suffix: String(suffix))
        }
    }

    /// The names of the parameters, in the order in which their values arrive in ``RequestContext/parameters``.
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
        segments.reduce(into: "") { text, segment in
            switch segment {
            case .literal(let literal): text += "/" + literal
            case .parameter(let name): text += "/{" + name + "}"
            case .suffixed(let name, let suffix): text += "/{" + name + "}" + suffix
            }
        }
    }
}
