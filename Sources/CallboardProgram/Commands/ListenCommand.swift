import ArgumentParser
import CallboardAPI
import CallboardClient
import Foundation
import UnixSignals

/// `callboard listen`.
struct ListenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen",
        abstract: "Receive the events of hooks, to try them without writing a receiver.",
        discussion: """
            Prints and answers each event that a hook sends to http://127.0.0.1:PORT,
            on any path. Port 0 takes a free port. Ctrl-C ends it.

            Register a hook with that address, and fire the event:

              callboard listen 9000
              curl -X PUT $D/adapters/Contact/events/didSelect \\
                --json '{"url": "http://127.0.0.1:9000"}'
              curl -X POST $D/events \\
                --json '{"event": "didSelect", "section": "friends", "element": "Ada"}'

            The answer to the PUT has the secret that signs messages. Given that in
            CALLBOARD_LISTEN_SECRET or --secret, listen refuses messages with a
            missing, wrong or old signature (401).

            Questions are answered with --answer, one for each event:

              callboard listen 9000 --answer rowHeight=44 --answer canEditRow=false

            An answer may also change the director. In its texts {section} and
            {element} are replaced by the identifiers in the event, and a pointer
            such as {/element/value/name} by that part of the event's data. This
            deletes the tapped row:

              callboard listen 9000 --on didSelect --reload --operations '[
                {"op": "removeElement",
                 "section": "{section}", "element": "{element}"}]'

            Try how the server treats a receiver that fails, is slow or is gone:

              callboard listen 9000 --fail-first 3 --retry-after 2s
              callboard listen 9000 --on rowHeight --delay 10s
              callboard listen 9000 --status 410

            For scripts: one JSON object a line, and an end after --count events:

              callboard listen 9000 --count 1 --json | jq .message.data.indexPath
            """)

    @Argument(help: ArgumentHelp("The TCP port; 0 takes a free one.", valueName: "PORT"))
    var port: UInt16

    @Option(help: ArgumentHelp("The address to listen on.", valueName: "ADDRESS"))
    var host = "127.0.0.1"

    @OptionGroup var secrets: SecretOptions

    @OptionGroup(title: "Answers") var answers: AnswerOptions

    @OptionGroup(title: "Misbehaviour") var misbehaviour: MisbehaviourOptions

    @Option(help: ArgumentHelp("Leave after so many events.", valueName: "N"))
    var count: Int?

    @Flag(help: "Write one JSON object a line for each event.")
    var json = false

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count takes a number from 1.") }
        try secrets.validateTogether()
        try answers.validateTogether()
        try misbehaviour.validateTogether()
    }

    func run() async throws {
        try await Program.run {
            var (plan, doubts) = try answers.plan()
            misbehaviour.apply(to: &plan)
            let check = try secrets.check(environment: ProcessInfo.processInfo.environment)
            for doubt in doubts { Output.error("note: \(TextWidth.printable(doubt))") }
            let summary = try await listen(check, plan)
            Output.error(summary.description)
            return .success
        }
    }

    /// Listens until somebody leaves, or enough events have come.
    private func listen(_ check: SignatureCheck, _ plan: AnswerPlan) async throws -> ListenSummary {
        // From here on a signal ends the listener in good order, also before its first event.
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        let log = ListenLog(style: json ? .json : .plain)
        let limit = count
        let listener = try await EventListener.start(host: host, port: port) { loop in
            EventReceiver(loop: loop, check: check, plan: plan, limit: limit) { entry in
                for line in log.lines(for: entry) { if json { Output.json(line) } else { Output.line(line) } }
            }
        }
        announce(listener.address, check)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in signals { return } }
            group.addTask { for await _ in listener.receiver.isDone { return } }
            await group.next()
            group.cancelAll()
        }
        return await listener.stop()
    }

    /// Says where events go; on standard error where every line of standard output is an event.
    private func announce(_ address: String, _ check: SignatureCheck) {
        let line = "listening on \(address)"
        if json { Output.error(line) } else { Output.line(line) }
        if check.secrets.isEmpty {
            Output.error("signatures are not checked: --secret or \(SecretOptions.variable) gives the secret")
            if !Loopback.contains(host) {
                Output.error("note: other machines reach this address, and anybody may send events to it")
            }
        }
    }
}
