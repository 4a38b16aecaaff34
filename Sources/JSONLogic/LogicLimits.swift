/// How much an expression may be and may do.
package struct LogicLimits: Sendable, Hashable {
    /// How deep operations and arrays may be nested in an expression: 64 unless said otherwise, 128 at most. A deeper
    /// expression is refused when it is read.
    package var depth: Int {
        didSet { depth = LogicLimits.clamp(depth, to: 128) }
    }

    /// How many values an expression may consist of, operations and literals: 10,000 unless said otherwise. A larger one
    /// is refused when it is read.
    package var nodes: Int {
        didSet { nodes = LogicLimits.clamp(nodes, to: 1 << 24) }
    }

    /// How many steps one evaluation may take: 100,000 unless said otherwise; more end it with an error.
    ///
    /// A step is about as much work as looking at 16 members, and takes 0.1 µs at most: the table of
    /// <doc:JSONLogic#Limits> has the prices.
    package var steps: Int {
        didSet { steps = LogicLimits.clamp(steps, to: 1 << 48) }
    }

    /// How many bytes of JSON all that one evaluation builds may come to: 1 MiB unless said otherwise; more end it with
    /// an error. A value from a document counts each time that it is put into an array.
    package var size: Int {
        didSet { size = LogicLimits.clamp(size, to: 1 << 40) }
    }

    /// How deep the arrays and objects that an evaluation builds may be nested; deeper ones end it with an error.
    static let builtDepth = 128

    /// Takes the defaults for what is not named.
    package init(depth: Int = 64, nodes: Int = 10_000, steps: Int = 100_000, size: Int = 1 << 20) {
        self.depth = LogicLimits.clamp(depth, to: 128)
        self.nodes = LogicLimits.clamp(nodes, to: 1 << 24)
        self.steps = LogicLimits.clamp(steps, to: 1 << 48)
        self.size = LogicLimits.clamp(size, to: 1 << 40)
    }

    private static func clamp(_ value: Int, to ceiling: Int) -> Int {
        min(max(value, 0), ceiling)
    }
}
