import JSONValues

/// A command's effects on a director. Each effect asks for a right of its own, whatever the way that leads to it.
package struct Effects: OptionSet, Hashable, Sendable {
    /// One bit for each effect.
    package let rawValue: UInt8

    /// Makes a set of its bits.
    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Makes a set of effects.
    ///
    /// The standard library's way is generic over sequences and is not specialized: it costs a request some 100 ns.
    package init(arrayLiteral effects: Effects...) {
        self.init(rawValue: effects.reduce(0) { $0 | $1.rawValue })
    }

    /// The list changes, or is published: sections, rows, elements, variables, reloads, announcements.
    package static let content = Effects(rawValue: 1)
    /// The director, its properties or its adapters change.
    package static let definition = Effects(rawValue: 2)
    /// Event hooks change: where events go, and with which credentials.
    package static let hooks = Effects(rawValue: 4)

    /// The possible effects of a hook's answer: it holds operations and a reload, and no hooks.
    package static let ofAnswers: Effects = [.content, .definition]

    /// The effects that have a right, by the right's name, in the order in which they are written.
    package static let byRight: [(name: String, effect: Effects)] = [
        ("mutate", .content), ("define", .definition), ("hooks", .hooks),
    ]

    /// The names of the rights that these effects ask for.
    package var rightNames: [String] {
        Self.byRight.filter { contains($0.effect) }.map(\.name)
    }
}

extension Operation {
    /// What the operation does.
    package var effects: Effects {
        switch self {
        case .sections, .rows, .elements, .newSection, .setVariable, .removeVariable: .content
        case .setAdapter, .removeAdapter: .definition
        }
    }

    /// Whether the operation changes what the director is, not only what it holds.
    package var changesDefinition: Bool { effects.contains(.definition) }

    /// Whether what is wrong with the operation can be wrong with what is stored, and not only with what was sent.
    package var readsContent: Bool {
        switch verb {
        case .sections(let verb), .rows(let verb), .elements(let verb): verb.readsContent
        case .other(.setAdapter): true
        case .other(.setVariable), .other(.removeVariable), .other(.removeAdapter): false
        }
    }
}

extension ListVerb {
    /// See ``Operation/readsContent``.
    fileprivate var readsContent: Bool {
        switch self {
        case .patch: true
        case .set, .add, .put, .remove, .removeSeveral, .removeAll, .move, .swap: false
        }
    }
}

extension [Operation] {
    /// What the operations do.
    package var effects: Effects {
        Effects(rawValue: reduce(0) { $0 | $1.effects.rawValue })
    }
}

extension OperationBatch {
    /// The batch's effects, its reload included.
    package var effects: Effects {
        reload ? operations.effects.union(.content) : operations.effects
    }
}

extension DirectorError {
    /// Whether the error tells something of what the director holds: counts, positions, identifiers.
    package var tellsContent: Bool {
        switch reason {
        case .notFound, .invalidPlace, .ambiguous, .adapterInUse, .viewInUse, .elementsElsewhere, .noRows, .rowExists,
            .duplicate:
            true
        case .refused, .adapterNotFound, .viewNotFound, .variableNotFound, .eventUnknown, .hookNotFound,
            .limitExceeded, .longerThanTurn, .derived:
            false
        }
    }
}

extension FieldType<Effects> {
    /// The rights of a target's answers, as an array of their names.
    static let answerRights = FieldType(
        .array(.choice(Effects.ofAnswers.rightNames)),
        decode: { node, faults in
            guard node.kind == .array else {
                faults.append(node, expected: "an array of rights")
                return nil
            }
            var effects: Effects = []
            for element in node.elements {
                let named = Effects.byRight.first { $0.name == element.string && Effects.ofAnswers.contains($0.effect) }
                guard let named else {
                    faults.append(
                        element, "expected one of \(Effects.ofAnswers.rightNames.map(\.quoted).joined(separator: ", "))"
                    )
                    continue
                }
                effects.formUnion(named.effect)
            }
            return effects
        },
        encode: { effects, writer in
            writer.array { writer in for name in effects.rightNames { writer.string(name) } }
        })
}
