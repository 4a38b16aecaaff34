import Directors
import JSONValues
import ListDiff

/// A row that a director is filled with.
struct RowSample {
    /// The row's identifier.
    var identifier: String
    /// How many elements it has; nil for a constant row.
    var elements: Int?
    /// Its other members as they are written, each with a comma in front; none, or such as `,"height":44`.
    var members = ""

    /// The row without its elements, as it is written.
    var text: String {
        let kind = elements == nil ? #""type":"constant","cell":"BasicCell""# : #""type":"model","model":"Person""#
        return #"{"id":"\#(identifier)",\#(kind)\#(members)}"#
    }
}

extension Director {
    /// Makes a director that shows rows of sample values in one section, `s0`, and publishes them.
    ///
    /// - Parameters:
    ///   - rows: The rows; the elements of all are numbered through.
    ///   - variables: The variables with their values as they are written.
    static func filled(rows: [RowSample], variables: [String: String] = [:]) throws -> Director {
        var director = Director(name: "bench", epoch: "bench", properties: .table(TableProperties()))
        try director.register(CellAdapter(model: "Person", cell: "PersonCell"))
        for (name, value) in variables {
            try director.perform([.setVariable(name: name, value: JSONValue(parsing: value))])
        }
        let list = rows.map(\.text).joined(separator: ",")
        let section = #"{"op":"addSections","sections":[{"id":"s0","rows":[\#(list)]}]}"#
        try director.perform([.decode(JSONDocument(section).root)])
        var first = 0
        for row in rows {
            let end = first + (row.elements ?? 0)
            for start in stride(from: first, to: end, by: 10_000) {
                let drafts = try (start..<min(start + 10_000, end)).map(SampleValue.draft)
                let place = ElementOwner.row(section: .identifier("s0"), row: .identifier(row.identifier))
                try director.perform([.elements(of: place, .add(drafts))])
            }
            first = end
        }
        let shown = rows.reduce(0) { $0 + ($1.elements ?? 1) }
        guard try director.reload()?.counts == ListCounts(sections: 1, elements: shown) else {
            refute("\(shown) cells of \(rows.count) rows were not published")
        }
        return director
    }
}

/// A director under measurement, that is changed as a server does: on a copy, while the state before is still there.
struct RowSubject {
    let name: String
    private(set) var director: Director

    /// Takes a director.
    init(_ name: String, _ director: Director) {
        self.name = name
        self.director = director
    }

    /// Performs operations and publishes them: all that is timed.
    ///
    /// - Parameter verify: Ends the program unless the change is what it should be; it is told the subject's name.
    mutating func measure(
        _ operations: [Directors.Operation], verify: (PublishedChange?, _ name: String) -> Void
    ) throws -> Duration {
        var draft = director
        let begin = ContinuousClock.now
        try draft.perform(operations)
        let change = try draft.reload()
        let reading = ContinuousClock.now - begin
        verify(change, name)
        director = draft
        return reading
    }

    /// Performs operations and publishes them; the publication alone is timed.
    mutating func measureReload(
        after operations: [Directors.Operation], verify: (PublishedChange?, _ name: String) -> Void
    ) throws -> Duration {
        var draft = director
        try draft.perform(operations)
        let before = draft
        let begin = ContinuousClock.now
        let change = try draft.reload()
        let reading = ContinuousClock.now - begin
        verify(change, name)
        keep(before)
        director = draft
        return reading
    }
}

extension ChangeStep {
    /// A setting of a variable, and how many of each kind of operation its changeset has to have.
    static func setting(_ name: String, to value: String, expecting expected: Tally) throws -> ChangeStep {
        ChangeStep(
            operations: [.setVariable(name: name, value: try JSONValue(parsing: value))], expected: expected)
    }
}
