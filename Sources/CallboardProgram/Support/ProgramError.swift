import CallboardClient
import Foundation
import Reactor

/// The meaning of the program's exit status; `--help` of the program lists them.
enum ExitStatus: Int32 {
    /// Everything was done.
    case success = 0
    /// `load` put some records in and left others out.
    case partial = 2
    /// The command was called wrongly (sysexits' EX_USAGE).
    case usage = 64
    /// Invalid input: a file, damaged stored data, a request (sysexits' EX_DATAERR).
    case dataError = 65
    /// The input is missing or unreadable: a file, a folder, a list (sysexits' EX_NOINPUT).
    case noInput = 66
    /// A server or a database cannot be reached, or an address cannot be listened on (sysexits' EX_UNAVAILABLE).
    case unavailable = 69
    /// The program itself has failed (sysexits' EX_SOFTWARE).
    case software = 70
    /// The output cannot be made: it exists already, or its place takes nothing (sysexits' EX_CANTCREAT).
    case cannotCreate = 73
    /// A disk or a file failed while it was read or written, or is full (sysexits' EX_IOERR).
    case ioError = 74
    /// Something failed that may work later (sysexits' EX_TEMPFAIL).
    case temporary = 75
    /// The credential is missing, not good, or does not give the right (sysexits' EX_NOPERM).
    case noPermission = 77
    /// A setting is unknown or has a bad value, or the data folder cannot be used (sysexits' EX_CONFIG).
    case configuration = 78
    /// A signal ended the command before it was done (128 and SIGINT's number).
    case interrupted = 130
}

extension ExitStatus {
    /// The status of an answer other than a refused credential: `temporary` if a repetition may succeed, `dataError` if
    /// the server refuses the content, and `unavailable` if an intermediary or another server has answered.
    init(ofAnswer error: ClientError) {
        guard !error.isIntermediarys else {
            self = .unavailable
            return
        }
        let mayPass = error.status == 412 || error.status != nil && !error.isFinal
        self = mayPass ? .temporary : .dataError
    }

    /// Why an address cannot be listened on: it takes a right that the process does not have, or the address is not to be had.
    init(ofListening error: any Error) {
        let number = (error as? SystemError)?.number
        self = number == EACCES || number == EPERM ? .noPermission : .unavailable
    }
}

extension Problem {
    /// Whether a Callboard server has looked for what a path names, and has not found it.
    var isMissing: Bool { status == 404 && isCallboards }
}

/// A failure for the person at the terminal: what went wrong and where, what to do about it, and the exit status.
struct ProgramError: Error, Equatable {
    let message: String
    var advice: String?
    let status: ExitStatus

    init(_ message: String, advice: String? = nil, status: ExitStatus) {
        self.message = message
        self.advice = advice
        self.status = status
    }

    /// Puts a failed call in the words of a command.
    init(_ error: ClientError, server: String) {
        switch error {
        case .unreachable(_, let reason):
            self.init(
                "no answer from \(server): \(reason)",
                advice: "start one with \"callboard serve\", or name another with --server or CALLBOARD_SERVER",
                status: .unavailable)
        case .untrusted(_, let reason):
            self.init(
                "the certificate of \(server) is not trusted: \(reason)",
                advice: Self.advice(onCertificate: reason, server: server), status: .unavailable)
        case .invalidServer(let reason):
            self.init(reason, advice: "check --server and CALLBOARD_SERVER", status: .configuration)
        case .problem(let problem) where problem.isMissing:
            self.init(
                TextWidth.printable(error.description), advice: "\"callboard directors\" lists what \(server) has",
                status: .noInput)
        case .unauthorized(let problem):
            self.init(
                "\(server) refused the credential: \(TextWidth.printable(problem.description))",
                advice: "give a token that is valid there with --token-file, --token or CALLBOARD_TOKEN",
                status: .noPermission)
        case .forbidden(let problem):
            self.init(
                "\(server) does not permit this: \(TextWidth.printable(problem.description))",
                advice: "give a token that has this right with --token-file, --token or CALLBOARD_TOKEN",
                status: .noPermission)
        case .invalidToken(let reason):
            self.init(
                reason, advice: "give a token as \"callboard token create\" prints it", status: .configuration)
        case .invalidCause, .invalidIdempotencyKey:
            self.init(error.description, advice: "--help shows what it takes", status: .configuration)
        case .problem, .unexpectedAnswer, .answerTooLong:
            let status = ExitStatus(ofAnswer: error)
            let advice =
                switch status {
                case .temporary: "try again later"
                case .unavailable: "check that --server or CALLBOARD_SERVER names a Callboard server"
                default: "correct what was sent"
                }
            self.init(TextWidth.printable(error.description), advice: advice, status: status)
        }
    }

    /// The remedy for a certificate that is not trusted for its names, its time or its authority.
    private static func advice(onCertificate reason: String, server: String) -> String {
        if reason.contains("expired") || reason.contains("not yet valid") {
            return "have the server use a certificate that is valid now, such as a new one of \"callboard certificate\""
        }
        guard reason.contains("subject name") else {
            return "name the authority's file with --ca or CALLBOARD_CA; "
                + "the one that \"callboard certificate\" makes is authority.pem"
        }
        let host = URL(string: server)?.host ?? "NAME"
        return "ask for a name that the certificate has, or make one for this name with "
            + "\"callboard certificate \(host)\" and have the server use it"
    }
}

extension ProgramError: CustomStringConvertible {
    var description: String { advice.map { "\(message)\n  \($0)" } ?? message }
}
