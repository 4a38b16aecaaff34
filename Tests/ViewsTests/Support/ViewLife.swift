import Directors
import Foundation
import JSONValues
import ListDiff
import Notation

@testable import ListDiffTesting
@testable import Views

/// A source and a view of it, side by side with the oracle.
struct ViewLife {
    private var source: Source
    private var view: View
    private let random: RandomView
    private let subject: Subject

    init(_ random: RandomView, _ subject: Subject) throws {
        source = try Source()
        self.random = random
        self.subject = subject
        let bound: [Name: JSONValue] = random.condition == .parameter ? ["p": try json("\(random.parameter)")] : [:]
        view = try source.view(random.text, bound, claims: try json("{\"t\":\(random.claim)}")).value
    }

    /// Performs a step; what is wrong then, or nil.
    mutating func fault(in step: SourceStep) throws -> String? {
        switch step {
        case .perform(let operations):
            // What the source refuses is no part of its history.
            for operation in operations { _ = try? source.director.perform([operation]) }
            return nil
        case .look(let pointers):
            try source.director.register(CellAdapter(model: "Item", cell: "ItemCell", content: pointers))
            return nil
        case .publish(let isTaken):
            _ = try source.director.reload()
            return isTaken ? faultOfTaking() : nil
        }
    }

    private mutating func faultOfTaking() -> String? {
        let (before, totals) = (view.list, view.totalsText)
        let variables = source.director.working.variables
        let change = subject.apply(&view, source.director.published, variables)
        let oracle = NaiveView(
            random, of: source.director.published.list, variable: variables["v"]?.document.root.int)
        if let fault = faultOfState(oracle) { return fault }
        guard let change else {
            if view.list != before { return "the view has changed without a changeset" }
            return totals == view.totalsText ? nil : "totals have changed, which nobody is told"
        }
        if (change.totals != nil) != (totals != view.totalsText) { return "totals are announced wrongly" }
        var forms = ShownView(source.director.published.list)
        let (old, new) = (Array(before.sections), Array(view.list.sections))
        if let violation = forms.violation(of: change.changeset, old, new) { return violation }
        guard let replayed = try? before.content.applying(change.changeset) else { return "the changeset does not fit" }
        guard ListState(content: replayed) == view.list else { return "the changeset leads elsewhere" }
        let elements = new.reduce(0) { $0 + $1.list.count }
        guard change.counts == ListCounts(sections: new.count, elements: elements) else {
            return "the counts are wrong"
        }
        if change.changeset.isEmpty, change.totals == nil { return "nothing is announced" }
        return nil
    }

    private func faultOfState(_ oracle: NaiveView) -> String? {
        if let broken = view.brokenInvariants().first { return broken }
        let shown = view.list.sections.map { section in
            NaiveView.Part(
                id: section.identifier, title: section.attributes.headerTitle,
                items: section.list.map { "\($0.model) \($0.identifier) \($0.value.text)" })
        }
        guard shown == oracle.parts else { return "the view shows \(shown), not \(oracle.parts)" }
        let faults = view.faults
        guard faults.count == oracle.faults.count, faults.first.map(\.identifier) == Array(oracle.faults.prefix(10))
        else { return "the faults are \(faults), not \(oracle.faults)" }
        return random.hasTotals ? faultOfTotals(oracle.totals) : nil
    }

    private func faultOfTotals(_ expected: [String: String]) -> String? {
        guard let root = try? JSONDocument(view.totalsText).root else { return "the totals are no JSON" }
        var found: [String: String] = [:]
        for total in root.members {
            if total.value.kind == .object, total.name == "each" || total.name == "sums" || total.name == "most" {
                for part in total.value.members { found["\(total.name)/\(part.name)"] = plain(part.value) }
            } else {
                found[total.name] = plain(total.value)
            }
        }
        for (name, text) in expected where !isEqual(found[name], text, isRounded: name == "mean") {
            return "the total \(name) is \(found[name] ?? "missing"), not \(text)"
        }
        return found.count == expected.count ? nil : "there are totals of nothing: \(found.keys)"
    }

    private func plain(_ node: JSONNode) -> String { node.string ?? node.value.text }

    private func isEqual(_ found: String?, _ text: String, isRounded: Bool) -> Bool {
        guard let found, found != text else { return found != nil }
        if isRounded { return Double(found) == Double(text) }
        guard let one = Decimal(string: found), let other = Decimal(string: text) else { return false }
        return one == other
    }
}

extension View {
    /// What is wrong with the trees that hold the view.
    func brokenInvariants() -> [String] {
        var broken = content.brokenInvariants() + sources.brokenInvariants() + buckets.brokenInvariants()
        for section in content { broken += section.list.brokenInvariants() }
        for section in sources { broken += section.members.items.brokenInvariants() }
        for bucket in buckets {
            broken += bucket.order.brokenInvariants()
            if bucket.output.count > bucket.total { broken.append("more is shown than there is") }
        }
        if plan.keepsSections, buckets.count != sources.count { broken.append("a section has no bucket") }
        return broken
    }
}
