import CallboardClient

/// Looks whether a list is on its server, and waits until it is.
struct ListPresence {
    let director: RemoteDirector
    /// The part of the list that is wanted.
    var selection = ListSelection()
    /// The server's address, for messages.
    let server: String
    /// Says what is waited for.
    var tell: @Sendable (String) -> Void = { Output.error("callboard: \($0)") }

    /// How often the server is asked for a list that is not there yet.
    static let interval = Duration.seconds(1)

    /// Returns once the server has the list. The message about waiting is written once.
    ///
    /// Before that, a server that is not there or refuses is better said at once than shown as a connection that keeps
    /// failing. An intermediary's answer in place of the server is told, and passes: the stream goes on trying. While
    /// the list is waited for, failures that may pass are waited out as well.
    func wait(_ clock: some Clock<Duration> = ContinuousClock()) async throws {
        var isWaiting = false
        while true {
            do {
                _ = try await director.describe()
                return
            } catch let error as ClientError {
                if error.problem?.isMissing == true {
                    if !isWaiting {
                        tell("\(server) has no list \"\(TextWidth.printable(director.name))\" yet; waiting for it")
                    }
                    isWaiting = true
                } else if !isWaiting {
                    guard error.isIntermediarys else { throw error }
                    tell("\(TextWidth.printable(error.description)); waiting for the server itself at \(server)")
                    return
                } else if !error.mayPass {
                    throw error
                }
            }
            try await clock.sleep(for: Self.interval)
        }
    }

    /// The list as it is now.
    ///
    /// - Throws: ``ProgramError`` and `ClientError` where it is not there, or the server cannot be reached.
    func snapshot() async throws -> RemoteList {
        _ = try await director.describe()
        for try await update in director.list(selecting: selection) {
            switch update {
            case .replaced(let list, _): return list
            case .connection(.lost(let interruption, _)):
                throw ProgramError(
                    "no list from \(server): \(TextWidth.printable(interruption.description))",
                    advice: "try again; the server's log says why it has ended the stream", status: .unavailable)
            default: continue
            }
        }
        throw ProgramError(
            "\"\(TextWidth.printable(director.name))\" is not on the server any more",
            advice: "\"callboard directors\" lists what it has", status: .noInput)
    }
}

extension ClientError {
    /// Whether the same request may be answered later: nobody answers, or not the server itself, or it is busy.
    fileprivate var mayPass: Bool {
        if case .unreachable = self { return true }
        return isIntermediarys || ExitStatus(ofAnswer: self) == .temporary
    }
}
