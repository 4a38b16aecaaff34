import Foundation
import JSONLogic
import JSONValues
import Notation

/// Measures evaluating expressions for many elements against the same conditions written in Swift.
enum LogicBenchmarks {
    /// The number of elements of each round.
    static let elements = 1_000
    /// How often an expression is evaluated for each element, so that setting the data hardly counts.
    static let repeats = 10

    /// Runs all of them and prints a result line for each; it takes a few seconds.
    static func run() throws {
        let sample = try LogicSample(count: elements)
        try LogicBenchmark(
            name: "a variable", expression: #"{"var":"variables.hide"}"#, sample: sample
        ) { sample, _ in
            sample.variable("hide")?.bool == true ? 1 : 0
        }.run()
        try LogicBenchmark(
            name: "a height by age", expression: #"{"if":[{">":[{"var":"model.age"},60]},60,44]}"#, sample: sample,
            isCondition: false
        ) { _, model in
            (model["age"]?.int ?? 0) > 60 ? 60 : 44
        }.run()
        try LogicBenchmark(
            name: "guests by name",
            expression: #"""
                {"and":[{"==":[{"var":"model.kind"},"guest"]},
                {"in":[{"var":"variables.query"},{"cat":[{"var":"model.first"}," ",{"var":"model.last"}]}]}]}
                """#, sample: sample
        ) { sample, model in
            guard model["kind"]?.string == "guest", let query = sample.variable("query")?.string else { return 0 }
            return "\(model["first"]?.string ?? "") \(model["last"]?.string ?? "")".contains(query) ? 1 : 0
        }.run()
    }
}

/// People and variables that expressions are evaluated on.
struct LogicSample {
    let variables: [Name: JSONValue]
    let documents: [Name: JSONDocument]
    let models: [JSONNode]

    /// Makes as many people, half of them guests.
    init(count: Int) throws {
        variables = try [
            "hide": #"false"#, "hidePeople": #"true"#, "query": #""da Lo""#, "theme": #""dark""#, "limit": #"25"#,
            "sort": #"{"by":"name","ascending":true}"#,
        ].mapValues { try JSONValue(parsing: $0) }
        documents = variables.mapValues(\.document)
        models = try (0..<count).map { number in
            let last = number % 3 == 0 ? "Lovelace" : "Hopper"
            return try JSONDocument(
                """
                {"id":"e\(number)","kind":"\(number % 2 == 0 ? "guest" : "host")","first":"Ada","last":"\(last)",\
                "age":\(20 + number % 70)}
                """
            ).root
        }
    }

    /// The value of a variable.
    func variable(_ name: String) -> JSONNode? {
        documents[name]?.root
    }
}

/// One expression, evaluated for each element in turn with its yardstick.
struct LogicBenchmark {
    let name: String
    let expression: String
    let sample: LogicSample
    /// Whether the expression is asked for a truth value, as one of visibility is.
    var isCondition = true
    /// The equivalent Swift code; truth values are 0 and 1.
    let plain: (LogicSample, JSONNode) -> Int

    /// Runs the rounds and prints the result line.
    func run() throws {
        let expression = try LogicExpression(JSONDocument(expression).root)
        var data = LogicData(members: [
            "variables": .object(reading: sample.variables), "section": .null, "row": .null, "model": .null,
            "index": .null,
        ])
        guard let model = data.place(of: "model"), let index = data.place(of: "index") else {
            refute("the data has no model")
        }
        var (evaluating, testing): ([Duration], [Duration]) = ([], [])
        for _ in 0..<101 {
            var (sum, plainSum) = (0, 0)
            try evaluating.append(
                ContinuousClock().measure {
                    for (position, node) in sample.models.enumerated() {
                        data[model] = .json(node)
                        data[index] = .integer(position)
                        for _ in 0..<LogicBenchmarks.repeats {
                            if isCondition {
                                sum += try expression.holds(data) ? 1 : 0
                            } else if case .integer(let height) = try expression.evaluate(data) {
                                sum += height
                            }
                        }
                    }
                })
            testing.append(
                ContinuousClock().measure {
                    for node in sample.models {
                        for _ in 0..<LogicBenchmarks.repeats { plainSum += plain(sample, node) }
                    }
                })
            guard sum == plainSum else { refute("\(name): the expression and Swift differ") }
        }
        let evaluations = LogicBenchmarks.elements * LogicBenchmarks.repeats
        BenchmarkResult.times(
            "an expression evaluated \(evaluations.grouped) times: \(name)", ours: median(evaluating),
            yardstick: "written in Swift", median(testing), target: .none
        ).report()
    }
}
