import Directors
import JSONValues
import ListDiff

extension View {
    /// Puts sections of the view in the place of others, and shows them.
    ///
    /// A section whose shown content is unchanged keeps its value.
    mutating func put(_ new: [Bucket], in range: Range<Int>) {
        let start = buckets.measure(before: range.lowerBound).shown
        if range.count == 1, new.count == 1 {
            let old = buckets[range.lowerBound]
            buckets.replace(at: range.lowerBound, with: new[0])
            if old.isShown, new[0].isShown {
                let isSame = new[0].serial == old.serial && new[0].isContentEqual(to: old)
                if !isSame { content.replace(at: start, with: new[0].section) }
                return
            }
            if !old.isShown, !new[0].isShown { return }
            content.replaceSubrange(start..<start + (old.isShown ? 1 : 0), with: new[0].isShown ? [new[0].section] : [])
            return
        }
        let end = buckets.measure(before: range.upperBound).shown
        content.replaceSubrange(start..<end, with: new.lazy.filter(\.isShown).map(\.section))
        buckets.replaceSubrange(range, with: new)
    }

    /// A section of the view, to be changed and put back. Its members are taken along, so that changing them
    /// copies no tree.
    mutating func takeBucket(at position: Int) -> Bucket {
        buckets.update(at: position) { bucket in
            let taken = bucket
            bucket.dropOrder()
            return taken
        }
    }

    /// A section of the source, to be changed and put back, as ``takeBucket(at:)`` does it.
    mutating func takeSource(at position: Int) -> SourceSection {
        sources.update(at: position) { section in
            let taken = section
            section = SourceSection(serial: taken.serial)
            return taken
        }
    }

    /// Divides a limit for the whole view among its sections: the first ones show all their members as long as it lasts.
    ///
    /// - Complexity: O(*s* log *s*) in the number of sections that are shown, and those without members in front of them.
    mutating func limit() {
        guard let limit = plan.definition.limit, plan.definition.limitScope == .view else { return }
        var (rest, position, passed) = (limit, 0, 0)
        while position < buckets.count, rest > 0 || buckets.measure.elements > passed {
            let (total, shown) = (buckets[position].total, buckets[position].output.count)
            let count = min(total, rest)
            if shown != count {
                var bucket = takeBucket(at: position)
                let members = plan.keepsSections ? sources[position].members : SparseList<Member>()
                bucket.show(count, of: members)
                put([bucket], in: position..<position + 1)
            }
            rest -= count
            passed += count
            position += 1
        }
    }

    // MARK: Faults

    /// The elements that an expression has failed on, which are left out.
    ///
    /// - Complexity: O(*s* + *f* log *n*) in the number of the source's sections; O(1) without such elements.
    package var faults: ViewFaults {
        var faults = ViewFaults(count: sources.measure.faulty)
        guard faults.count > 0 else { return faults }
        for section in sources where section.faulty.count > 0 {
            for item in section.faulty.items {
                faults.first.append(ViewFaults.Entry(identifier: item.entry.identifier, fault: item.entry.fault))
                if faults.first.count == ViewFaults.limit { return faults }
            }
        }
        return faults
    }
}

/// The elements of a source that a view leaves out since an expression has no value for them.
package struct ViewFaults: Equatable, Sendable {
    /// How many elements are listed.
    package static let limit = 10

    /// How many there are.
    package let count: Int
    /// The first of them, in the order of the source.
    package fileprivate(set) var first: [Entry] = []

    /// The number and the list as a reader is shown them.
    package var json: JSONValue {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("count", count)
            writer.key("first")
            writer.array { writer in
                for entry in first {
                    writer.object { writer in
                        writer.member("id", entry.identifier)
                        writer.member("pointer", entry.fault.pointer)
                        writer.member("detail", entry.fault.detail)
                    }
                }
            }
        }
        return JSONValue(trusting: writer.takeBytes())
    }

    /// An element with the expression that failed on it.
    package struct Entry: Equatable, Sendable {
        /// The element's identifier.
        package let identifier: String
        /// The expression, as a pointer into the definition, and why it has no value.
        package let fault: Fault
    }
}
