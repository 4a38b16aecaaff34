/// The operators of JsonLogic (json-logic's documentation, by these names), and `val`, `exists` and `??` of the
/// community's proposals.
enum LogicOperator: String, CaseIterable, Sendable {
    case variable = "var"
    case missing
    case missingSome = "missing_some"
    case `if`
    case ternary = "?:"
    case equal = "=="
    case strictEqual = "==="
    case notEqual = "!="
    case strictNotEqual = "!=="
    case not = "!"
    case truth = "!!"
    case or
    case and
    case greater = ">"
    case greaterOrEqual = ">="
    case less = "<"
    case lessOrEqual = "<="
    case max
    case min
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divide = "/"
    case remainder = "%"
    case map
    case filter
    case reduce
    case all
    case none
    case some
    case merge
    case `in`
    case cat
    case substring = "substr"
    case value = "val"
    case exists
    case coalesce = "??"

    /// How many arguments there may be.
    var arity: ClosedRange<Int> {
        switch self {
        case .not, .truth: 0...1
        case .variable: 0...2
        case .in, .missingSome, .map, .filter, .all, .none, .some: 2...2
        case .substring, .reduce: 2...3
        case .equal, .strictEqual, .notEqual, .strictNotEqual, .greater, .greaterOrEqual, .less, .lessOrEqual:
            2...Int.max
        case .remainder: 2...Int.max
        case .minus, .divide, .max, .min: 1...Int.max
        default: 0...Int.max
        }
    }

    /// Whether the arguments have to be written as an array, one alone being a mistake.
    var needsList: Bool {
        switch self {
        case .if, .ternary, .and, .or, .map, .filter, .reduce, .all, .none, .some, .equal, .strictEqual, .notEqual,
            .strictNotEqual, .greater, .greaterOrEqual, .less, .lessOrEqual:
            true
        default: false
        }
    }

    /// Whether a single argument that is not written as an array, but evaluates to one, is the list of the arguments.
    var spreads: Bool {
        switch self {
        case .plus, .minus, .times, .divide, .remainder, .max, .min, .cat, .merge, .missing: true
        default: false
        }
    }

    /// Whether the second argument is evaluated on each element of the first.
    var iterates: Bool {
        switch self {
        case .map, .filter, .reduce, .all, .none, .some: true
        default: false
        }
    }

    /// Whether arguments that are literals give a literal.
    var folds: Bool {
        switch self {
        case .variable, .value, .exists, .missing, .missingSome, .merge: false
        default: !iterates
        }
    }

    /// The description of `arity`, for an error.
    var expectedArguments: String {
        switch (arity.lowerBound, arity.upperBound) {
        case (let least, Int.max): "\(least) arguments or more"
        case (0, 1): "1 argument at most"
        case (let least, let most) where least == most: "\(least) arguments"
        case (let least, let most): "\(least) to \(most) arguments"
        }
    }
}

extension LogicOperator {
    /// The operator whose name is nearest to one that is none: at most two letters are exchanged, added or left out, and
    /// fewer than the name has.
    static func nearest(to name: String) -> LogicOperator? {
        guard name.utf8.count <= 20 else { return nil }
        let letters = Array(name.lowercased().utf8)
        var best: (operator: LogicOperator, distance: Int)?
        for candidate in allCases {
            let distance = Self.distance(letters, Array(candidate.rawValue.utf8))
            guard distance <= 2, distance < letters.count, distance < candidate.rawValue.utf8.count else { continue }
            if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
        }
        return best?.operator
    }

    /// How many letters have to be exchanged, added or left out to get from one word to the other (Levenshtein).
    private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var row = Array(0...other.count)
        for (line, letter) in one.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for column in other.indices {
                let exchanged = diagonal + (letter == other[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = Swift.min(exchanged, diagonal + 1, row[column] + 1)
            }
        }
        return row[other.count]
    }
}
