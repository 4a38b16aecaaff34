import JSONValues

/// The rule of a view: a director whose content follows from another one's.
///
/// The definition is kept as its text. A director knows only that its content follows from its source; the target `Views` reads
/// the members of the definition.
package struct Derivation: Sendable, Equatable {
    /// The name of the director that the content follows from.
    package let source: String
    /// The definition, an object.
    package let definition: JSONValue

    /// Pairs a definition with the source that it names.
    package init(source: String, definition: JSONValue) {
        self.source = source
        self.definition = definition
    }

    /// Reads a definition as it was stored; nil for what names no source.
    package init?(stored definition: JSONValue) {
        guard let source = definition.document.root["from"]?.string else { return nil }
        self.init(source: source, definition: definition)
    }

    /// Whether both are the same text of the same source.
    package static func == (one: Derivation, other: Derivation) -> Bool {
        one.definition.bytes == other.definition.bytes
    }
}

/// The numbers that a view has beside its list.
package struct DerivedFacts: Sendable {
    /// Its totals, an object by name; nil if it has none.
    package let totals: JSONValue?
    /// The elements that it leaves out since an expression has no value for them; nil if there are none.
    package let faults: JSONValue?

    /// Makes them.
    package init(totals: JSONValue?, faults: JSONValue?) {
        self.totals = totals
        self.faults = faults
    }

    /// The same without the faults: they name elements of the source which the view does not show.
    package var withoutFaults: DerivedFacts { DerivedFacts(totals: totals, faults: nil) }
}

extension Director {
    /// The same director with the numbers of a view.
    package func adding(_ facts: DerivedFacts) -> Director {
        var director = self
        director.derivedFacts = facts
        return director
    }

    /// Refuses what would change the content of a view, or what it is made of.
    ///
    /// - Throws: ``DirectorError/Reason/derived(from:)``.
    package func checkOwnContent() throws(DirectorError) {
        if let derivation { throw DirectorError(.derived(from: derivation.source)) }
    }

    /// Gives a view another rule.
    ///
    /// - Returns: Whether anything has changed. A change raises the revision.
    @discardableResult
    package mutating func redefine(_ derivation: Derivation?) -> Bool {
        guard derivation != self.derivation else { return false }
        self.derivation = derivation
        working.revision += 1
        return true
    }
}
