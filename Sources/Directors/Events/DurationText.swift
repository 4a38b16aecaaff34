import JSONValues

/// Lengths of time as bodies have them: `"100ms"`, `"5s"`, `"2m"`, or a number of seconds.
enum DurationText {
    private static let units: [(suffix: String, unit: Duration)] = [
        ("ms", .milliseconds(1)), ("s", .seconds(1)), ("m", .seconds(60)), ("h", .seconds(3600)),
    ]

    /// Reads a length within bounds, to the millisecond.
    static func decode(_ node: JSONNode, in range: ClosedRange<Duration>, _ faults: inout FaultList) -> Duration? {
        guard let duration = duration(node) else {
            faults.append(node, #"expected a length of time such as "100ms", "5s" or "2m", or a number of seconds"#)
            return nil
        }
        guard range.contains(duration) else {
            faults.append(node, "expected a length of time from \(text(range.lowerBound)) to \(text(range.upperBound))")
            return nil
        }
        return duration
    }

    /// The shortest text, in one unit, that says a length of whole milliseconds.
    static func text(_ duration: Duration) -> String {
        let milliseconds = milliseconds(duration)
        for (suffix, unit) in units.reversed() {
            let length = self.milliseconds(unit)
            if milliseconds >= length, milliseconds % length == 0 { return "\(milliseconds / length)\(suffix)" }
        }
        return "0s"
    }

    /// The length as an answer tells what was measured: in whole milliseconds, and at least one.
    static func measured(_ duration: Duration) -> String { "\(max(1, milliseconds(duration)))ms" }

    private static func milliseconds(_ duration: Duration) -> Int64 {
        duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
    }

    private static func duration(_ node: JSONNode) -> Duration? {
        if let seconds = node.double { return rounded(seconds, .seconds(1)) }
        guard let text = node.string else { return nil }
        let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        guard let number = Double(digits), digits.first != ".",
            let unit = units.first(where: { $0.suffix == text.dropFirst(digits.count) })?.unit
        else { return nil }
        return rounded(number, unit)
    }

    private static func rounded(_ number: Double, _ unit: Duration) -> Duration? {
        let milliseconds = (number * Double(milliseconds(unit))).rounded()
        // 2^53 milliseconds are longer than any bound; a larger double would not fit.
        return milliseconds.magnitude <= 0x1p53 ? .milliseconds(Int64(milliseconds)) : nil
    }
}
