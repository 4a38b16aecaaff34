/// Writes the Prometheus text exposition format, version 0.0.4.
struct MetricsText {
    private(set) var text = ""

    /// Begins a metric: its help line and its type.
    mutating func begin(_ name: String, _ type: String, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    /// Adds one sample with an integer value.
    mutating func sample(_ name: String, _ labels: [(String, String)] = [], _ value: Int) {
        sample(name, labels, literal: String(value))
    }

    /// Adds one sample whose value is already written as a number.
    mutating func sample(_ name: String, _ labels: [(String, String)] = [], literal: String) {
        text += name
        if !labels.isEmpty {
            text += "{" + labels.map { "\($0)=\"\(Self.escape($1))\"" }.joined(separator: ",") + "}"
        }
        text += " \(literal)\n"
    }

    /// A metric without labels.
    mutating func single(_ name: String, _ type: String, _ help: String, _ value: Int) {
        begin(name, type, help)
        sample(name, [], value)
    }

    /// Microseconds as decimal seconds, exactly.
    static func seconds(microseconds: Int) -> String {
        let fraction = String(microseconds % 1_000_000)
        let padded = String(repeating: "0", count: 6 - fraction.count) + fraction
        return "\(microseconds / 1_000_000).\(padded)"
    }

    private static func escape(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
