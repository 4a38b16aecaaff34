import TestSupport

/// A random definition, in a form that both its JSON text and the oracle follow from.
struct RandomView: CustomStringConvertible {
    enum Condition: CaseIterable {
        case none, tag, parameter, variable, title, fails, model, claim, never
    }

    enum Sections: CaseIterable {
        case source, keepEmpty, single, key, titled, descending
    }

    struct Sort {
        let member: String
        let isDescending: Bool
        let isNatural: Bool
    }

    var condition = Condition.none
    var sections = Sections.source
    var sort: [Sort] = []
    var limit: Int?
    var isLimitOfSections = false
    var fields: [String]?
    var hasTotals = false

    /// The values that the parameter, and the claim, are bound to.
    var parameter = 1
    var claim = 2

    init(_ random: inout SeededGenerator) {
        condition = random.percent(25) ? .none : Condition.allCases.randomElement(using: &random) ?? .none
        sections = Sections.allCases.randomElement(using: &random) ?? .source
        if random.percent(60) {
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                let member = ["k", "n", "s", "t"].randomElement(using: &random) ?? "n"
                sort.append(Sort(member: member, isDescending: random.percent(40), isNatural: random.percent(50)))
            }
        }
        if random.percent(40) {
            limit = Int.random(in: 1...6, using: &random)
            isLimitOfSections = random.percent(50)
        }
        if random.percent(30) {
            fields = [["/id", "/n"], ["/id", "/o/a", "/l/1"], ["/id"], ["/k"]].randomElement(using: &random)
        }
        hasTotals = random.percent(50)
        // A filter alone keeps nothing of its elements.
        if random.percent(20) { (sections, sort, limit, fields, hasTotals) = (.source, [], nil, nil, false) }
        parameter = random.below(4)
        claim = random.below(4)
    }

    var description: String { text }

    /// The definition.
    var text: String {
        var members = [#""from":"orders""#]
        if condition == .parameter { members.append(#""parameters":{"p":{"type":"integer","default":0}}"#) }
        if let conditionText { members.append("\"where\":" + conditionText) }
        if let sectionsText { members.append(sectionsText) }
        if !sort.isEmpty {
            let rules = sort.map { rule in
                #"{"key":{"var":"value.\#(rule.member)"},"order":"\#(rule.isDescending ? "descending" : "ascending")""#
                    + (rule.isNatural ? #","collation":"natural"}"# : "}")
            }
            members.append("\"sortBy\":[\(rules.joined(separator: ","))]")
        }
        if let limit {
            members.append("\"limit\":\(limit)")
            if isLimitOfSections { members.append(#""limitBy":"section""#) }
        }
        if let fields { members.append("\"fields\":[\(fields.map { "\"\($0)\"" }.joined(separator: ","))]") }
        if hasTotals {
            members.append(
                #""totals":{"all":{"count":true},"each":{"count":true,"by":"section"},"sum":{"sum":{"var":"value.p"}},"#
                    + #""sums":{"sum":{"var":"value.p"},"by":"section"},"least":{"min":{"var":"value.p"}},"#
                    + #""most":{"max":{"var":"value.k"},"by":"section"},"mean":{"average":{"var":"value.p"}}}"#)
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    private var conditionText: String? {
        switch condition {
        case .none: nil
        case .tag: #"{"===":[{"var":"value.t"},1]}"#
        case .parameter: #"{"===":[{"var":"value.t"},{"var":"parameters.p"}]}"#
        case .variable: #"{"===":[{"var":"value.t"},{"var":"variables.v"}]}"#
        case .title: #"{"===":[{"var":"section.headerTitle"},"A"]}"#
        case .fails: #"{">":[{"/":[6,{"var":"value.t"}]},2]}"#
        case .model: #"{"===":[{"var":"model"},"Item"]}"#
        case .claim: #"{"===":[{"var":"value.t"},{"var":"claims.t"}]}"#
        case .never: "false"
        }
    }

    private var sectionsText: String? {
        switch sections {
        case .source: nil
        case .keepEmpty: #""keepEmpty":true"#
        case .single: #""sectionBy":null"#
        case .key: #""sectionBy":{"key":{"var":"value.k"}}"#
        case .titled: #""sectionBy":{"key":{"var":"value.k"},"title":{"cat":["T ",{"var":"key"}]}}"#
        case .descending: #""sectionBy":{"key":{"var":"value.k"},"order":"descending"}"#
        }
    }
}
