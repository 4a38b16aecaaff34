import Directors
import ListDiff

// A view that is a filter alone needs nothing of its elements but whether they belong.
extension View {
    /// Brings a section to another state. The section is the source's own where all its elements belong.
    ///
    /// - Complexity: O(*m* log *n*) for *m* elements that come and go.
    mutating func filter(
        _ ranges: [ChangedRange], _ update: inout SectionUpdate, _ after: PersistentList<Element>,
        _ pass: inout ViewPass
    ) {
        var edits: [(range: Range<Int>, shown: [Element])] = []
        for range in ranges.reversed() where !range.old.isEmpty || !range.new.isEmpty {
            let inclusion = update.section.inclusion
            let indexes = inclusion.count(before: range.old.lowerBound)..<inclusion.count(before: range.old.upperBound)
            edits.append((indexes, filter(range, &update.section, after, &pass)))
        }
        if update.section.inclusion.isWhole { return update.bucket.show(all: after) }
        for edit in edits { update.bucket.replace(edit.range, withShown: edit.shown) }
    }

    /// Evaluates the elements of a range, and notes which belong.
    ///
    /// - Returns: Those that belong, in order.
    private mutating func filter(
        _ range: ChangedRange, _ section: inout SourceSection, _ after: PersistentList<Element>, _ pass: inout ViewPass
    ) -> [Element] {
        var (inclusion, shown) = ([Bool](), [Element]())
        var failures: [(offset: Int, entry: FaultyElement)] = []
        inclusion.reserveCapacity(range.new.count)
        var rest = after.makeIterator(from: range.new.lowerBound)
        for offset in 0..<range.new.count {
            guard let element = rest.next() else { break }
            let outcome = pass.evaluation.outcome(of: element)
            inclusion.append(outcome.isIncluded)
            if outcome.isIncluded { shown.append(element) }
            if case .failed(let fault) = outcome { failures.append((offset, faultyEntry(element, fault))) }
        }
        section.inclusion.replace(range.old, with: inclusion)
        let indexes = section.faulty.indexes(in: range.old)
        section.faulty.replace(range.old, indexes, count: range.new.count, with: failures)
        return shown
    }

    /// The entry of an element that an expression has failed on.
    mutating func faultyEntry(_ element: Element, _ fault: Fault) -> FaultyElement {
        FaultyElement(serial: makeSerial(), identifier: element.identifier, fault: fault)
    }
}
