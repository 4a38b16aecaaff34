import CallboardClient

/// Sends a list in one request, again where that is safe.
///
/// The request has a key: the server does it once, however often it arrives. So the request is sent again if no answer
/// came, or if the server answers that it cannot do it at the moment.
struct ContentSender: Sendable {
    let director: RemoteDirector
    var clock: any Clock<Duration> = ContinuousClock()

    /// How often a list is sent at most.
    static let tries = 4
    /// How often is asked for the answer to what is under way.
    private static let questions = 600

    func send(_ upload: ContentUpload, _ options: WriteOptions) async throws -> ContentResult {
        var (tries, questions) = (1, 0)
        while true {
            do {
                return try await director.setContent(upload, options).value
            } catch ClientError.unreachable(let url, let reason) {
                try Task.checkCancellation()
                guard tries < Self.tries else { throw ClientError.unreachable(url: url, reason: reason) }
                tries += 1
                try await clock.sleep(for: .milliseconds(250 * tries))
            } catch let error as ClientError {
                if tries > 1, error.problem?.isUnderWay == true, questions < Self.questions {
                    questions += 1
                    try await clock.sleep(for: .milliseconds(100))
                } else if error.status == 503, tries < Self.tries {
                    tries += 1
                    try await clock.sleep(for: .seconds(1))
                } else {
                    throw error
                }
            }
        }
    }
}

extension Problem {
    /// Whether a request with the same key is still being answered.
    fileprivate var isUnderWay: Bool {
        status == 409 && type.hasSuffix(":conflict") && detail?.contains("under way") == true
    }
}
