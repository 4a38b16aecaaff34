import ListDiff

/// Gives sections of any kind the form that the oracle of changesets knows: what is the same to a client has the same number.
protocol NumberedForms {
    associatedtype Section: DifferentiableSection

    mutating func group(_ section: Section) -> Group
    mutating func item(_ element: Section.Element) -> Item
}

extension NumberedForms {
    /// What is wrong with a change from some sections to others, or nil.
    mutating func violation(of changeset: StagedChangeset<Section>, _ before: [Section], _ after: [Section]) -> String?
    {
        let pair = Pair(source: before.map { group($0) }, target: after.map { group($0) })
        let plain = plain(changeset)
        guard plain.stages.allSatisfy(\.isAscending), plain.isReplacedAscending else {
            return "a stage is not in order"
        }
        return Judge(pair).violation(of: plain)?.description
    }

    private mutating func plain(_ changeset: StagedChangeset<Section>) -> StagedChangeset<Group> {
        let stages = changeset.stages.map { stage in
            Changeset<Group>(
                elementUpdated: stage.elementUpdated.map { ElementChange(at: $0.at, element: item($0.element)) },
                sectionDeleted: stage.sectionDeleted, elementDeleted: stage.elementDeleted,
                sectionInserted: stage.sectionInserted.map { SectionChange(at: $0.at, section: group($0.section)) },
                sectionMoved: stage.sectionMoved,
                elementInserted: stage.elementInserted.map { ElementChange(at: $0.at, element: item($0.element)) },
                elementMoved: stage.elementMoved,
                sectionUpdated: stage.sectionUpdated.map { SectionChange(at: $0.at, section: group($0.section)) })
        }
        return StagedChangeset(
            stages: stages, replaced: changeset.replaced.map { ElementChange(at: $0.at, element: item($0.element)) })
    }
}
