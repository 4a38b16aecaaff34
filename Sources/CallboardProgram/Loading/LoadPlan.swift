import CallboardClient

/// Cuts a list into batches that the server takes.
struct LoadPlan: Sendable {
    /// The most records of one batch.
    var recordsPerBatch = 5000
    /// The most bytes of records in one batch; a record that is larger by itself goes alone.
    var bytesPerBatch = 8 << 20
    /// Whether what the director holds stays, and the records come after it.
    var appends = false
    /// The row of the content's only section that the records go into; nil where they make sections of elements. The row
    /// has to be there, and nothing else of the list changes.
    var row: String?

    /// The batches in the order they are to be sent.
    ///
    /// A list that fits one batch replaces the old one in a single step. A longer one begins with the sections and
    /// their first records; subscribers see neither before the reload.
    ///
    /// - Parameter existing: the sections that an appended record finds in the director.
    func batches(for content: LoadContent, existing: Set<String> = []) -> [LoadBatch] {
        var batches: [LoadBatch] = []
        var steps: [LoadBatch.Step] = []
        var (records, bytes) = (0, 0)
        func flush() {
            if !steps.isEmpty { batches.append(LoadBatch(steps: steps)) }
            (steps, records, bytes) = ([], 0, 0)
        }
        if row == nil {
            if fitsOneBatch(content), !appends { return [LoadBatch(steps: [.replace(content.sections)])] }
            if !appends { steps.append(.replace([])) }
        }
        for section in content.sections {
            var part: [LoadRecord] = []
            let place = LoadPlace(section: section.id, row: row)
            var isNew = !appends || (row == nil && !existing.contains(section.id))
            func add() {
                guard !part.isEmpty || isNew else { return }
                let begins = row == nil ? .addSection(section.with(part)) : LoadBatch.Step.fill(part, place)
                steps.append(isNew ? begins : .append(part, place))
                (part, isNew) = ([], false)
            }
            for record in section.records {
                let size = record.text.count
                if records + 1 > recordsPerBatch || bytes + size > bytesPerBatch, records > 0 {
                    add()
                    flush()
                }
                part.append(record)
                records += 1
                bytes += size
            }
            add()
        }
        flush()
        return batches
    }

    private func fitsOneBatch(_ content: LoadContent) -> Bool {
        guard content.recordCount <= recordsPerBatch else { return false }
        var bytes = 0
        for section in content.sections {
            for record in section.records {
                bytes += record.text.count
                if bytes > bytesPerBatch { return false }
            }
        }
        return true
    }
}
