import JSONValues

/// How an element's identifier is read from its value: `{firstName}_{lastName}`.
///
/// In braces stands the name of a member, or a JSON pointer where it begins with `/`. Each placeholder has to lead to a
/// string, a number or a truth value. Numbers that are equal give the same identifier: 1.0 gives `1`. A value that is
/// itself a string or a number is its own identifier, whatever the template.
package struct IdentifierTemplate: Hashable, Sendable {
    enum Part: Hashable, Sendable {
        case literal(String)
        /// An index of `pointers`.
        case placeholder(Int)
    }

    /// The longest identifier, in bytes.
    package static let maximumIdentifierLength = 1024

    /// The longest template, in bytes.
    package static let maximumLength = 1024

    /// The template of an adapter that names none: `{id}`.
    package static let `default` = IdentifierTemplate(
        text: "{id}", parts: [.placeholder(0)], pointers: [JSONPointer(tokens: ["id"])])

    /// The template as it was written.
    package let text: String

    private let parts: [Part]

    /// The pointers of the placeholders, each once, in the order of their first place.
    let pointers: [JSONPointer]

    /// The bytes that are the same in all identifiers.
    let literalLength: Int

    /// How many literals and placeholders there are.
    var partCount: Int { parts.count }

    private init(text: String, parts: [Part], pointers: [JSONPointer]) {
        self.text = text
        self.parts = parts
        self.pointers = pointers
        literalLength = parts.reduce(0) { if case .literal(let text) = $1 { $0 + text.utf8.count } else { $0 } }
    }

    /// Reads a template.
    ///
    /// - Throws: The fault, with an empty pointer.
    package init(parsing text: String) throws(RepresentationError) {
        let (parts, pointers) = try IdentifierTemplate.parts(of: text)
        guard !pointers.isEmpty else {
            throw RepresentationError([
                Fault(
                    pointer: "",
                    detail: "the template has no member in braces, so that all elements would have the same identifier")
            ])
        }
        self.init(text: text, parts: parts, pointers: pointers)
    }

    /// The literals and placeholders of a template, which may have no placeholder.
    ///
    /// - Throws: The fault, with an empty pointer.
    static func parts(of text: String) throws(RepresentationError) -> ([Part], [JSONPointer]) {
        func refused(_ detail: String) -> RepresentationError {
            RepresentationError([Fault(pointer: "", detail: detail)])
        }
        guard text.utf8.count <= IdentifierTemplate.maximumLength else {
            throw refused("the template is longer than \(IdentifierTemplate.maximumLength) bytes")
        }
        var parts: [Part] = []
        var pointers: [JSONPointer] = []
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
            let index = pointers.firstIndex(of: pointer) ?? pointers.count
            if index == pointers.count { pointers.append(pointer) }
            parts.append(.placeholder(index))
        }
        return (parts, pointers)
    }

    /// The identifier of a value.
    ///
    /// - Complexity: O(*n*) in the length of the value's text for each pointer, and O(*p*) in the number of parts; an
    ///   identifier that would be too long is not made.
    func identifier(of value: JSONNode) -> Result<String, ElementFault> {
        if value.kind == .string || value.kind == .number {
            return IdentifierTemplate.checked(value.scalarText ?? "")
        }
        if parts.count == 1 { return text(of: value.node(at: pointers[0]), 0).flatMap(IdentifierTemplate.checked) }
        var finder = PointerFinder(value, count: pointers.count)
        var texts: [String] = []
        texts.reserveCapacity(pointers.count)
        for (index, pointer) in pointers.enumerated() {
            switch text(of: finder.node(at: pointer), index) {
            case .success(let text): texts.append(text)
            case .failure(let fault): return .failure(fault)
            }
        }
        return joined(texts)
    }

    /// The text of what a placeholder has found.
    private func text(of found: JSONNode?, _ index: Int) -> Result<String, ElementFault> {
        // A text of six bytes at most stands for a byte. A longer number may stand for a short one.
        if let found, found.kind == .string, found.textCount > 6 * IdentifierTemplate.maximumIdentifierLength + 2 {
            return .failure(.longIdentifier)
        }
        guard let text = found?.scalarText else {
            return .failure(.noIdentifier(pointer: pointers[index], found: found?.kind, template: self.text))
        }
        return .success(text)
    }

    private func joined(_ texts: [String]) -> Result<String, ElementFault> {
        var identifier = ""
        for part in parts {
            switch part {
            case .literal(let literal): identifier += literal
            case .placeholder(let index): identifier += texts[index]
            }
            guard identifier.utf8.count <= IdentifierTemplate.maximumIdentifierLength else {
                return .failure(.longIdentifier)
            }
        }
        return IdentifierTemplate.checked(identifier)
    }

    private static func checked(_ identifier: String) -> Result<String, ElementFault> {
        guard !identifier.isEmpty else { return .failure(.emptyIdentifier) }
        return identifier.utf8.count <= maximumIdentifierLength ? .success(identifier) : .failure(.longIdentifier)
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
