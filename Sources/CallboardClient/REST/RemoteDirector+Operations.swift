import Foundation

extension RemoteDirector {
    /// What a batch did.
    public struct BatchResult: Sendable {
        /// The changeset that was published, or that a dry run would have published; nil where none was asked for.
        public let changeset: RemoteChangeset?
        /// The director's revision after the batch; nil where the server named none.
        public let revision: Revision?
        /// The server's whole answer.
        public let answer: JSON
    }

    /// Applies the operations of a body that was written already; its answer does not matter.
    package func perform(encoded body: [UInt8], _ options: WriteOptions = WriteOptions()) async throws {
        var call = Call("POST", path("operations"), options: options)
        call.body = Data(body)
        try await client.send(call)
    }

    /// Applies operations in order, all or none, and publishes where asked to.
    ///
    /// - Parameters:
    ///   - operations: what to do.
    ///   - dryRun: answers the changeset and changes nothing.
    ///   - animations: how what is published is to be shown, by the kind of operation.
    ///   - options: whether to publish, the revision that must be current, and the batch's name.
    @discardableResult
    public func perform(
        _ operations: [ListOperation], dryRun: Bool = false, animations: ListAnimations = [:],
        _ options: WriteOptions = WriteOptions()
    ) async throws -> BatchResult {
        var body: JSONObject = ["operations": .array(operations.map(\.json))]
        if options.reload { body["reload"] = true }
        if dryRun { body["dryRun"] = true }
        if !animations.isEmpty { body["animations"] = animations.json }
        // The batch's body says whether to publish; the query's `reload` is for single mutations.
        let call = Call(
            "POST", path("operations"), body: .object(body),
            options: WriteOptions(ifMatch: options.ifMatch, cause: options.cause))
        let answer = try await client.send(call) { (answer) throws(RepresentationError) in
            let changeset = answer.optional("changeset") ?? (answer.optional("stages") == nil ? nil : answer)
            return BatchResult(
                changeset: try changeset.map { (changeset) throws(RepresentationError) in
                    try RemoteChangeset(changeset)
                }, revision: nil, answer: answer.value)
        }
        return BatchResult(changeset: answer.value.changeset, revision: answer.revision, answer: answer.value.answer)
    }

    /// Reads the changeset that operations would publish, and changes nothing.
    ///
    /// It is the difference from the published version to what the list would be; empty where nothing would change.
    ///
    /// - Throws: ``ClientError/problem(_:)`` where an operation would be refused; its pointer names the operation.
    public func changeset(afterPerforming operations: [ListOperation]) async throws -> RemoteChangeset {
        guard let changeset = try await perform(operations, dryRun: true).changeset else {
            throw ClientError.unexpectedAnswer(status: 200, reason: "the answer to a dry run has no changeset")
        }
        return changeset
    }
}
