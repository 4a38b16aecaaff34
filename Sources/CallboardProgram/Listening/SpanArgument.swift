import ArgumentParser

/// A length of time on the command line: `10s`, `250ms`, `2m`, or a number of seconds.
struct SpanArgument: Sendable, Equatable, ExpressibleByArgument {
    let duration: Duration

    init?(argument: String) {
        let units: [(suffix: String, milliseconds: Double)] = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)]
        let unit = units.first { argument.hasSuffix($0.suffix) } ?? ("", 1000)
        guard let number = Double(argument.dropLast(unit.suffix.count)), number >= 0,
            number * unit.milliseconds <= 86_400_000
        else { return nil }
        duration = .milliseconds((number * unit.milliseconds).rounded())
    }
}
