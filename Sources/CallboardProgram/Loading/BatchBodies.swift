/// The bodies of the batches that are being sent, made in their order and kept until the server has them.
struct BatchBodies {
    private let batches: [LoadBatch]
    private let model: String
    private var bodies: [Int: [UInt8]] = [:]
    private var made = 1
    /// What the list holds once the batches that have a body are in.
    private var counts = LoadedCounts()

    /// Starts behind the first batch, which begins the list.
    init(_ batches: [LoadBatch], model: String) {
        self.batches = batches
        self.model = model
        counts.add(batches[0])
    }

    /// The body of a batch, from the second one on, that has not been forgotten.
    subscript(position: Int) -> [UInt8] {
        mutating get {
            while made <= position { make() }
            return bodies[position] ?? []
        }
    }

    /// Makes the next body ahead, if there is one to come and not too many are kept.
    mutating func makeNext() {
        if made < batches.count, bodies.count < 3 { make() }
    }

    private mutating func make() {
        bodies[made] = batches[made].body(model: model, at: counts)
        counts.add(batches[made])
        made += 1
    }

    /// Lets go of the bodies of the first batches.
    mutating func forget(before position: Int) {
        bodies = bodies.filter { $0.key >= position }
    }
}
