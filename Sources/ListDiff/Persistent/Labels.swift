/// The numbers that label the places of a list.
///
/// Labels only have to ascend. If no number is left between two places, the places in the smallest range of numbers
/// around them that is not crowded get new labels. A range of 2^*i* numbers counts as crowded from (4/3)^*i* places on,
/// so that wide ranges stay emptier than narrow ones, and an insert labels O(log *n*) places anew on average (Dietz and
/// Sleator, 1987; in the form of Bender, Cole, Demaine, Farach-Colton and Zito, 2002).
@usableFromInline
enum Labels {
    /// How far labels are apart where there is no reason for another distance.
    @inlinable static var gap: Int64 { 1 << 32 }

    /// The lowest label; labels are below its opposite. So the distance of two labels is a label's number, too.
    @inlinable static var lowest: Int64 { -1 << 61 }

    /// The narrowest range that is labelled anew, and the widest, as powers of two.
    @usableFromInline static let widths = 10...62

    /// How many places a range of numbers may have.
    @usableFromInline
    static func capacity(ofWidth width: Int) -> Int {
        capacities[width - widths.lowerBound]
    }

    private static let capacities: [Int] = widths.map { width in
        (0..<width).reduce(1.0) { capacity, _ in capacity * 4 / 3 }
    }.map { Int($0) }

    /// Labels for new places.
    @usableFromInline
    @frozen
    struct Run {
        /// The first label.
        @usableFromInline let first: Int64

        /// The distance from one to the next.
        @usableFromInline let step: Int64

        @inlinable
        init(first: Int64, step: Int64) {
            self.first = first
            self.step = step
        }

        @inlinable
        subscript(number: Int) -> Int64 {
            first + Int64(number) * step
        }
    }

    /// Labels for so many places between two, or nil if there is no room for them.
    @usableFromInline
    static func run(_ count: Int, between before: Int64?, and after: Int64?) -> Run? {
        let number = Int64(count)
        let room = (after ?? -lowest) - (before ?? lowest)
        let step = min(gap, room / (number + 1))
        guard step > 0 else {
            return nil
        }
        if let before {
            return Run(first: before + step, step: step)
        }
        return Run(first: after.map { $0 - number * step } ?? -(number / 2) * step, step: step)
    }
}
