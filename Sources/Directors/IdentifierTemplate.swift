import JSONValues

/// How an element's identifier is read from its value: `{firstName}_{lastName}`.
///
/// In braces stands the name of a member, or a JSON pointer where it begins with `/`. Each pointer has to lead to a
/// string, a number or a truth value. Numbers that are equal give the same identifier: 1.0 gives `1`. A value that is
/// itself a string or a number is its own identifier, whatever the template.
package struct IdentifierTemplate: Hashable, Sendable {
    enum Part: Hashable, Sendable {
        case literal(String)
        case placeholder(JSONPointer)
    }

    /// The longest identifier, in bytes.
    package static let maximumIdentifierLength = 1024

    /// The longest template, in bytes.
    package static let maximumLength = 1024

    /// The template of an adapter that names none: `{id}`.
    package static let `default` = IdentifierTemplate(
        text: "{id}", parts: [.placeholder(JSONPointer(tokens: ["id"]))])

    /// The template as it was written.
    package let text: String

    let parts: [Part]

    private init(text: String, parts: [Part]) {
        self.text = text
        self.parts = parts
    }

    /// Reads a template.
    ///
    /// - Throws: The fault, with an empty pointer.
    package init(parsing text: String) throws(RepresentationError) {
        func refused(_ detail: String) -> RepresentationError {
            RepresentationError([Fault(pointer: "", detail: detail)])
        }
        guard text.utf8.count <= IdentifierTemplate.maximumLength else {
            throw refused("the template is longer than \(IdentifierTemplate.maximumLength) bytes")
        }
        var parts: [Part] = []
        // Scalar by scalar: a brace stays one whatever accent follows it.
        var rest = text.unicodeScalars[...]
        while !rest.isEmpty {
            let literal = rest.prefix { $0 != "{" && $0 != "}" }
            rest = rest[literal.endIndex...]
            if !literal.isEmpty { parts.append(.literal(String(literal))) }
            guard let brace = rest.first else { break }
            guard brace == "{", let end = rest.firstIndex(of: "}") else {
                throw refused("the template \(text.quoted) has a brace without its counterpart")
            }
            let name = rest[rest.index(after: rest.startIndex)..<end]
            rest = rest[rest.index(after: end)...]
            guard !name.isEmpty, !name.contains("{") else {
                throw refused("a pair of braces has to hold the name of a member or a JSON pointer")
            }
            guard let pointer = name.first == "/" ? JSONPointer(parsing: String(name)) : .init(tokens: [String(name)])
            else { throw refused("\(String(name).quoted) is not a JSON pointer") }
            parts.append(.placeholder(pointer))
        }
        guard parts.contains(where: { if case .placeholder = $0 { true } else { false } }) else {
            throw refused("the template has no member in braces, so that all elements would have the same identifier")
        }
        self.init(text: text, parts: parts)
    }

    /// The identifier of a value.
    ///
    /// - Complexity: O(*n*) in the length of the value's text for each pointer; what would be longer than an identifier is
    ///   not made.
    func identifier(of value: JSONNode) -> Result<String, ElementFault> {
        var identifier = ""
        if value.kind == .string || value.kind == .number {
            identifier = value.scalarText ?? ""
        } else {
            var finder = PointerFinder(value, count: parts.count)
            var texts: [JSONPointer: String] = [:]
            for part in parts {
                switch part {
                case .literal(let literal):
                    identifier += literal
                case .placeholder(let pointer):
                    let found = finder.node(at: pointer)
                    // A text of six bytes at most stands for a byte. A longer number may stand for a short one.
                    if let found, found.kind == .string,
                        found.textCount > 6 * IdentifierTemplate.maximumIdentifierLength + 2
                    {
                        return .failure(.longIdentifier)
                    }
                    // A long number is read once, however often it is named.
                    let isLong = found.map { $0.textCount > IdentifierTemplate.maximumIdentifierLength } ?? false
                    guard let text = (isLong ? texts[pointer] : nil) ?? found?.scalarText else {
                        return .failure(.noIdentifier(pointer: pointer, found: found?.kind, template: self.text))
                    }
                    if isLong { texts[pointer] = text }
                    identifier += text
                }
                guard identifier.utf8.count <= IdentifierTemplate.maximumIdentifierLength else {
                    return .failure(.longIdentifier)
                }
            }
        }
        guard !identifier.isEmpty else { return .failure(.emptyIdentifier) }
        guard identifier.utf8.count <= IdentifierTemplate.maximumIdentifierLength else {
            return .failure(.longIdentifier)
        }
        return .success(identifier)
    }

    /// Compares the texts, scalar by scalar.
    package static func == (left: IdentifierTemplate, right: IdentifierTemplate) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// Feeds the text.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(text)
    }
}

/// Why no element can be made of a value.
enum ElementFault: Error, Hashable {
    case noIdentifier(pointer: JSONPointer, found: JSONKind?, template: String)
    case emptyIdentifier
    case longIdentifier

    /// The fault, its pointer seen from the value.
    var fault: Fault {
        switch self {
        case .noIdentifier(let pointer, let found, let template):
            Fault(
                pointer: found == nil ? "" : pointer.description,
                detail: found.map {
                    "the identifier \(template) is read from here, and \($0.phrase) cannot be part of one"
                } ?? "the identifier \(template) is read from \(pointer), which the value does not have")
        case .emptyIdentifier:
            Fault(pointer: "", detail: "the element's identifier is empty")
        case .longIdentifier:
            Fault(
                pointer: "",
                detail: "the element's identifier is longer than \(IdentifierTemplate.maximumIdentifierLength) bytes")
        }
    }
}
