/// The part of a section that is there before and after, without what begins and ends it unchanged.
///
/// The parts of all sections lie one behind the other, on the source's side and on the target's: `source` and `target`
/// are positions in there.
@usableFromInline
@frozen
struct SectionSpan {
    @usableFromInline let sourceSection: Int
    @usableFromInline let targetSection: Int

    /// The number of elements that begin the section on both sides and are left out.
    @usableFromInline let prefix: Int
    @usableFromInline let source: Range<Int>
    @usableFromInline let target: Range<Int>

    @inlinable
    init(sourceSection: Int, targetSection: Int, prefix: Int, source: Range<Int>, target: Range<Int>) {
        self.sourceSection = sourceSection
        self.targetSection = targetSection
        self.prefix = prefix
        self.source = source
        self.target = target
    }

    /// An element's position in its section before.
    @inlinable
    func sourceElement(_ position: Int) -> Int {
        position - source.lowerBound + prefix
    }

    /// An element's position in its section after.
    @inlinable
    func targetElement(_ position: Int) -> Int {
        position - target.lowerBound + prefix
    }
}

extension [SectionSpan] {
    /// The span that holds a position of the target's side; there has to be one.
    @inlinable
    func holding(target position: Int) -> SectionSpan {
        var low = 0
        var high = count - 1
        while low < high {
            let middle = (low + high) / 2
            if self[middle].target.upperBound <= position {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return self[low]
    }

    /// The span that holds a position of the source's side; there has to be one.
    @inlinable
    func holding(source position: Int) -> SectionSpan {
        var low = 0
        var high = count - 1
        while low < high {
            let middle = (low + high) / 2
            if self[middle].source.upperBound <= position {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return self[low]
    }
}
