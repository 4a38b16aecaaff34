import ArgumentParser
import CallboardClient
import Directors
import Foundation
import Notation
import Webhooks

/// What is answered to events.
struct AnswerOptions: ParsableArguments {
    @Option(
        name: .customLong("answer"),
        help: ArgumentHelp("Answer a question with this value: JSON, or a bare word.", valueName: "EVENT=VALUE"),
        transform: { try AnswerArgument($0) })
    var answers: [AnswerArgument] = []

    @Option(
        help: ArgumentHelp("Answer with these operations: a JSON array, or @FILE.", valueName: "JSON"))
    var operations: String?

    @Flag(help: "Answer with a reload, which publishes what the operations have changed.")
    var reload = false

    @Option(
        name: .customLong("on"),
        help: ArgumentHelp(
            "Keep --reload, --operations and the options below to these events (default: all).", valueName: "EVENT"),
        transform: { try EventNames.known($0).name })
    var events: [String] = []

    /// The plan, and what should be said about it.
    func plan() throws -> (plan: AnswerPlan, doubts: [String]) {
        var plan = AnswerPlan()
        var doubts: [String] = []
        for answer in answers {
            plan.values[answer.event] = answer.value
            if let doubt = answer.doubt { doubts.append(doubt) }
        }
        if let operations {
            let template = try OperationsArgument.read(operations)
            if let doubt = OperationsArgument.doubt(template) { doubts.append(doubt) }
            plan.operations = template
        }
        plan.reloads = reload
        if !events.isEmpty { plan.events = Set(texts: events) }
        return (plan, doubts)
    }

    func validateTogether() throws {
        let named = Dictionary(grouping: answers) { Name($0.event) }
        if let event = answers.map(\.event).first(where: { named[$0, default: []].count > 1 }) {
            throw ValidationError("--answer \(event) is there twice.")
        }
    }
}

/// How a receiver that does not work is played.
struct MisbehaviourOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Answer with this status and nothing else, from 300 to 599.", valueName: "STATUS"))
    var status: Int?

    @Option(help: ArgumentHelp("Fail the first N events, with 500 or --status; then answer normally.", valueName: "N"))
    var failFirst: Int?

    @Option(help: ArgumentHelp("Say in each failure when to try again.", valueName: "TIME"))
    var retryAfter: SpanArgument?

    @Option(help: ArgumentHelp("Hold every answer back: 10s, 250ms, 2m.", valueName: "TIME"))
    var delay: SpanArgument?

    func validateTogether() throws {
        if let status, !(300...599).contains(status) {
            throw ValidationError("--status takes a status of failure, from 300 to 599.")
        }
        if let failFirst, failFirst < 1 { throw ValidationError("--fail-first takes a number from 1.") }
        if retryAfter != nil, status == nil, failFirst == nil {
            throw ValidationError("--retry-after needs --status or --fail-first.")
        }
    }

    func apply(to plan: inout AnswerPlan) {
        plan.delay = delay?.duration
        guard status != nil || failFirst != nil else { return }
        let seconds = retryAfter.map { Int(($0.duration / .seconds(1)).rounded(.up)) }
        plan.failure = AnswerPlan.Failure(status: status ?? 500, count: failFirst, retryAfter: seconds)
    }
}

/// The secrets that signatures are checked with.
struct SecretOptions: ParsableArguments {
    /// The environment variable that secrets come from too.
    static let variable = "CALLBOARD_LISTEN_SECRET"

    @Option(
        name: .customLong("secret"),
        help: ArgumentHelp(
            "Check signatures with this secret; several may be said (default: \(variable)).",
            valueName: "whsec_…"))
    var secrets: [String] = []

    /// The secrets of the options, or else those of the environment, with spaces or commas between them.
    func check(environment: [String: String]) throws -> SignatureCheck {
        if !secrets.isEmpty { return SignatureCheck(secrets: try Self.parse(secrets, from: "--secret")) }
        let texts = (environment[Self.variable] ?? "").split { $0 == " " || $0 == "," }.map(String.init)
        return SignatureCheck(secrets: try Self.parse(texts, from: Self.variable))
    }

    func validateTogether() throws {
        do {
            _ = try Self.parse(secrets, from: "--secret")
        } catch {
            throw ValidationError("\(error)")
        }
    }

    /// Does not quote what it could not read: it may be most of a secret.
    private static func parse(_ texts: [String], from origin: String) throws -> [HookSecret] {
        try texts.map { text in
            do throws(HookSecretFault) {
                return try HookSecret(text)
            } catch {
                throw ProgramError(
                    "\(origin): the secret \(error)", advice: "give the secret that the hook was registered with",
                    status: .configuration)
            }
        }
    }
}
