import ListDiff

/// A section of the working state as a reload has evaluated it.
///
/// An object, which does not change: where the list of sections changes, the neighbours are copied.
final class EvaluatedSection: Sendable {
    /// The section that was evaluated.
    let source: Section

    /// The section as subscribers show it.
    let published: Section

    /// Its rows; nil for a section of elements.
    let rows: PersistentList<EvaluatedRow>?

    /// A section of elements, which is shown as it is.
    init(_ section: Section) {
        source = section
        published = section
        rows = nil
    }

    /// A section of rows that show these elements.
    init(_ source: Section, rows: PersistentList<EvaluatedRow>, elements: PersistentList<Element>) {
        self.source = source
        self.rows = rows
        published = Section(showing: source, list: elements)
    }

    /// The given identities, without those of no row of the section if they are more than its rows.
    ///
    /// - Complexity: O(*n*) in the number of the section's rows, or of those that are asked for where they are fewer.
    func rows(among identities: Set<RowIdentity>) -> Set<RowIdentity> {
        guard let rows, rows.count < identities.count else { return identities }
        return Set(rows.lazy.map(\.differenceIdentifier).filter(identities.contains))
    }

    /// Whether the section is shown: one whose rows are all hidden is not.
    var isShown: Bool {
        guard let rows else { return true }
        return rows.isEmpty || rows.measure.items > 0
    }
}

extension EvaluatedSection: ListItem {
    /// The section's identifier.
    var differenceIdentifier: SectionIdentity { source.differenceIdentifier }

    /// A hash of the identifier.
    var identityHash: Int { source.identityHash }

    /// One where the section is shown, and the steps of its rows.
    var measure: ShownMeasure {
        ShownMeasure(elements: 0, items: isShown ? 1 : 0, steps: rows?.measure.steps ?? 0)
    }

    /// Not asked: evaluated sections are not compared.
    func isContentEqual(to source: EvaluatedSection) -> Bool {
        self.source.isInterchangeable(with: source.source)
    }
}

extension Section {
    /// Whether expressions read the same of this section as of an earlier state of it.
    func readsAs(_ other: Section) -> Bool {
        attributes === other.attributes
            || attributes.headerTitle == other.attributes.headerTitle
                && attributes.footerTitle == other.attributes.footerTitle
    }
}
