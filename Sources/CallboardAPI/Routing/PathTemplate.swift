/// A route's path, such as `/v1/directors/{director}/sections/{section}`: literal segments and named parameters.
package struct PathTemplate: Sendable, Hashable, CustomStringConvertible {
    /// One segment between two slashes.
    package enum Segment: Sendable, Hashable {
        /// A segment that must be there to the letter.
        case literal(String)
        /// A segment that is taken, percent-decoded, as the parameter of this name.
        case parameter(String)
    }

    /// The segments in order.
    package let segments: [Segment]

    /// Reads a template; braces around a whole segment make it a parameter.
    package init(_ text: String) {
        segments = text.split(separator: "/").map { part in
            part.hasPrefix("{") && part.hasSuffix("}")
                ? .parameter(String(part.dropFirst().dropLast())) : .literal(String(part))
        }
    }

    /// The names of the parameters, in the order in which their values arrive in ``RequestContext/parameters``.
    package var parameterNames: [String] {
        segments.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
    }

    /// The template as OpenAPI writes it.
    package var description: String {
        segments.reduce(into: "") { text, segment in
            switch segment {
            case .literal(let literal): text += "/" + literal
            case .parameter(let name): text += "/{" + name + "}"
            }
        }
    }
}
