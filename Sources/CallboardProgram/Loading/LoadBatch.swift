import CallboardClient

/// Operations that go to the server together, with the records that they carry.
struct LoadBatch: Sendable {
    /// One operation of a batch.
    enum Step: Sendable {
        /// Replaces all sections by these, with their records.
        case replace([LoadContent.Section])
        /// Adds a section with its records.
        case addSection(LoadContent.Section)
        /// Replaces the elements of a model row.
        case fill([LoadRecord], LoadPlace)
        /// Adds records at the end of a section or a model row.
        case append([LoadRecord], LoadPlace)
    }

    var steps: [Step]

    /// The records in the batch.
    var recordCount: Int {
        steps.reduce(0) { count, step in
            switch step {
            case .replace(let sections): count + sections.reduce(0) { $0 + $1.records.count }
            case .addSection(let section): count + section.records.count
            case .fill(let records, _), .append(let records, _): count + records.count
            }
        }
    }

    /// The body of `POST …/operations`.
    ///
    /// - Parameter counts: What the list has to hold before, where the server is to refuse the batch otherwise: it says
    ///   where the records come to stand.
    func body(model: String, at counts: LoadedCounts? = nil) -> [UInt8] {
        var writer = BatchWriter(model: model, counts: counts)
        writer.write(steps)
        return writer.body
    }

    /// Where a record stands in a batch.
    private struct Place: Hashable {
        let step: Int
        /// The section among those that the step brings; nil where its records go into what is there.
        let section: Int?
        let record: Int
    }

    /// The place that a pointer into the operations leads to, such as `/operations/0/sections/2/elements/7`.
    private func place(at pointer: String) -> Place? {
        var tokens = pointer.split(separator: "/").map(String.init)
        // A server may leave out which operation it was where there is only one.
        if tokens.first != "operations", steps.count == 1 { tokens.insert(contentsOf: ["operations", "0"], at: 0) }
        guard tokens.count >= 4, tokens[0] == "operations", let step = Int(tokens[1]), steps.indices.contains(step)
        else { return nil }
        switch steps[step] {
        case .fill(let records, _), .append(let records, _):
            guard tokens[2] == "elements", let record = Int(tokens[3]), records.indices.contains(record) else {
                return nil
            }
            return Place(step: step, section: nil, record: record)
        case .addSection(let section): return Self.place(tokens, step, [section])
        case .replace(let sections): return Self.place(tokens, step, sections)
        }
    }

    private static func place(_ tokens: [String], _ step: Int, _ sections: [LoadContent.Section]) -> Place? {
        guard tokens.count >= 6, tokens[2] == "sections", tokens[4] == "elements", let section = Int(tokens[3]),
            let record = Int(tokens[5]), sections.indices.contains(section),
            sections[section].records.indices.contains(record)
        else { return nil }
        return Place(step: step, section: section, record: record)
    }

    /// Takes out the records that the faults point at, each with what is wrong with it, in the batch's order; nil, and
    /// nothing taken out, where a fault points at something else.
    mutating func removeRecords(_ faults: [Problem.Fault]) -> [RejectedRecord]? {
        var reasons: [Place: String] = [:]
        for fault in faults {
            guard let pointer = fault.pointer, let place = place(at: pointer) else { return nil }
            reasons[place] = reasons[place] ?? fault.detail
        }
        var removed: [RejectedRecord] = []
        // From the back, so that the positions in front stay what they are.
        for (place, reason) in reasons.sorted(by: { $0.key.record > $1.key.record }) {
            let record = take(place)
            removed.append(RejectedRecord(place: record.place, reason: reason))
        }
        return removed.sorted { $0.place.record < $1.place.record }
    }

    private mutating func take(_ place: Place) -> LoadRecord {
        switch steps[place.step] {
        case .fill(var records, let target):
            defer { steps[place.step] = .fill(records, target) }
            return records.remove(at: place.record)
        case .append(var records, let target):
            defer { steps[place.step] = .append(records, target) }
            return records.remove(at: place.record)
        case .addSection(var section):
            defer { steps[place.step] = .addSection(section) }
            return section.records.remove(at: place.record)
        case .replace(var sections):
            defer { steps[place.step] = .replace(sections) }
            return sections[place.section ?? 0].records.remove(at: place.record)
        }
    }
}

/// Where records go: a section, or a model row of a section of rows.
struct LoadPlace: Sendable, Hashable {
    let section: String
    /// The row's name; nil for a section of elements.
    var row: String?
}

/// How much a list or a row holds that consists of what was loaded alone.
struct LoadedCounts: Sendable {
    private(set) var sections = 0
    /// The elements of each section and row.
    private(set) var elements: [LoadPlace: Int] = [:]

    /// Adds what a batch brings.
    mutating func add(_ batch: LoadBatch) {
        for step in batch.steps { add(step) }
    }

    /// Adds what a step brings.
    mutating func add(_ step: LoadBatch.Step) {
        switch step {
        case .replace(let sections):
            self = LoadedCounts()
            for section in sections { add(section) }
        case .addSection(let section): add(section)
        case .fill(let records, let place): elements[place] = records.count
        case .append(let records, let place): elements[place, default: 0] += records.count
        }
    }

    private mutating func add(_ section: LoadContent.Section) {
        sections += 1
        elements[LoadPlace(section: section.id), default: 0] += section.records.count
    }
}

/// Writes the operations of a batch as the server takes them; the records' own bytes are copied.
private struct BatchWriter {
    private(set) var body: [UInt8] = []
    private let elementStart: [UInt8]
    private var counts: LoadedCounts?

    init(model: String, counts: LoadedCounts?) {
        self.counts = counts
        elementStart = Array(#"{"model":"#.utf8) + JSON.string(model).utf8 + Array(#","value":"#.utf8)
    }

    mutating func write(_ steps: [LoadBatch.Step]) {
        body += #"{"operations":["#.utf8
        for (position, step) in steps.enumerated() {
            if position > 0 { body.append(UInt8(ascii: ",")) }
            write(step)
            counts?.add(step)
        }
        body += "]}".utf8
    }

    private mutating func write(_ step: LoadBatch.Step) {
        switch step {
        case .replace(let sections): write("setSections", sections)
        case .addSection(let section): write("addSections", [section], at: counts?.sections)
        case .fill(let records, let place): write("setElements", records, place, at: nil)
        case .append(let records, let place): write("addElements", records, place, at: counts?.elements[place])
        }
    }

    private mutating func write(_ operation: String, _ records: [LoadRecord], _ place: LoadPlace, at position: Int?) {
        body += #"{"op":"\#(operation)","section":"#.utf8
        JSON.string(ListAddress.identifier(place.section).text).write(to: &body)
        if let row = place.row {
            body += #","row":"#.utf8
            JSON.string(ListAddress.identifier(row).text).write(to: &body)
        }
        write(position: position)
        body += #","elements":"#.utf8
        write(records)
        body.append(UInt8(ascii: "}"))
    }

    private mutating func write(position: Int?) {
        guard let position else { return }
        body += #","at":\#(position)"#.utf8
    }

    private mutating func write(_ operation: String, _ sections: [LoadContent.Section], at position: Int? = nil) {
        body += #"{"op":"\#(operation)","sections":["#.utf8
        for (position, section) in sections.enumerated() {
            if position > 0 { body.append(UInt8(ascii: ",")) }
            body += #"{"id":"#.utf8
            JSON.string(section.id).write(to: &body)
            if let title = section.title {
                body += #","headerTitle":"#.utf8
                JSON.string(title).write(to: &body)
            }
            body += #","elements":"#.utf8
            write(section.records)
            body.append(UInt8(ascii: "}"))
        }
        body.append(UInt8(ascii: "]"))
        write(position: position)
        body.append(UInt8(ascii: "}"))
    }

    private mutating func write(_ records: [LoadRecord]) {
        body.append(UInt8(ascii: "["))
        for (position, record) in records.enumerated() {
            if position > 0 { body.append(UInt8(ascii: ",")) }
            body += elementStart
            record.text.write(to: &body)
            body.append(UInt8(ascii: "}"))
        }
        body.append(UInt8(ascii: "]"))
    }
}
