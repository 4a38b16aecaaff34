import DirectorLife
import Directors
import HTTPTypes
import JSONValues
import Webhooks

// The one file in which the errors of the layers below become HTTP.

extension Problem {
    /// A director refused: 404, 409, 422 or 507 by the error's category.
    ///
    /// - Parameters:
    ///   - error: What the director said.
    ///   - body: Which part of the operation's JSON form the request's body is, so that pointers into the operation
    ///     become pointers into the body; `nil` where there is no body to point into.
    ///   - tellsContent: Whether what is wrong is wrong with what the director holds.
    init(_ error: DirectorError, body: BodyPart?, tellsContent: Bool = false) {
        let place = error.operation.map { "/operations/\($0)" } ?? ""
        func moved(_ pointer: String) -> String? { body?.pointer(fromOperation: pointer).map { place + $0 } }
        // What the path or the query says has no place in the body: the detail alone tells of it.
        let faults = error.faults.compactMap { fault in
            moved(fault.pointer).map { Fault(pointer: $0, detail: fault.detail) }
        }
        let detail = error.mappingPointers { moved($0) ?? "" }.detail.sentence
        switch error.category {
        case .notFound: self = .notFound(detail)
        case .conflict: self = error.isOfView ? Problem(.derived, detail) : .conflict(detail)
        case .invalid: self = .unprocessable(detail)
        case .limit: self = .overBound(detail)
        case .turn:
            self = .unavailable(.notReady, detail)
            isLongerThanTurn = true
        }
        if error.operation != nil || error.category == .invalid || error.isDuplicate { self.faults = faults }
        self.tellsContent = tellsContent || error.tellsContent
    }

    /// A row cannot be published: 422 with its pointer from the director; nothing has changed.
    init(unpublished error: DirectorError) {
        self.init(error, body: .whole, tellsContent: true)
    }

    /// A body that is JSON and not the form it has to be: 422 with every fault that was found.
    ///
    /// - Parameter prefix: The place in the body of the part that was read.
    init(_ error: RepresentationError, inside prefix: String = "") {
        let faults = error.faults.map { $0.inside(prefix) }
        self = .unprocessable(
            RepresentationError(faults).description.sentence,
            faults: faults.map { Fault(pointer: $0.pointer, detail: $0.detail) })
    }

    /// A body that is not JSON: 400 with the place. If the body is JSON and is refused for its content, the problem
    /// also has a pointer to the place. A repeated member name is 422.
    init(_ error: JSONError, in body: [UInt8]) {
        guard error.reason.isOfJSON else {
            self = Problem(
                .notJson, "The body is \(error). Numbers, strings and nesting must follow RFC 8259, in UTF-8.")
            return
        }
        let pointer = JSONPointer.bounded(error.pointer(in: body).description)
        if case .duplicateName(let name) = error.reason {
            self = .unprocessable(
                "One object has the member \(name.quoted) twice (the second time at byte \(error.offset)); the server "
                    + "cannot know which of the two holds.",
                faults: [Fault(pointer: pointer, detail: "the member \(name.quoted) is there twice")])
        } else {
            self = Problem(
                .unreadableJson, "The body is \(error).",
                faults: [Fault(pointer: pointer, detail: error.reason.description)])
        }
    }

    /// The mutation could not be stored and did not happen: 507 or 503.
    init(_ error: StorageError) {
        switch error {
        case .full(let what):
            self = .overBound("There is no room to store the change (\(what)); nothing has changed.")
        case .inDoubt(let what):
            self = Problem(
                .notAnswered,
                "The database has not said whether the change is stored (\(what)). Repeat it with the Idempotency-Key that "
                    + "it had; without one, read the director first.")
        case .unavailable(let what), .superseded(let what):
            self = Problem(
                .notStored, "The journal cannot be written to (\(what)); nothing has changed. Try again later.")
            retryAfter = 1
        }
    }
}

extension Problem {
    /// The director cannot be read or changed at this moment: 404 or 409.
    init(_ refusal: LifeRefusal, director name: String) {
        switch refusal {
        case .elsewhere:
            self.init(
                .noOwner, "No node owns the director \(name.quoted) at this moment; nothing has changed. Ask again.")
            retryAfter = 1
        case .over: self = .notFound("The director \(name.quoted) has been deleted.")
        case .deleting: self = .conflict("The director \(name.quoted) is being deleted; ask again.")
        case .unborn: self = .notFound("There is no director \(name.quoted) yet; it is being created.")
        case .creating:
            self = .conflict("The director \(name.quoted) is being created by someone else; ask again.")
        }
    }

    /// Event hooks cannot be called: 503.
    static let withoutHooks = Problem(
        .notReady, "Event hooks are not called at this moment; ask again.")

    /// A notification was not taken: 429, 507 or 503. Nothing of it will be delivered.
    init(_ refusal: NotifyRefusal) {
        let detail = refusal.description.sentence
        switch refusal {
        case .hookFull(_, _, let delay), .full(_, let delay):
            self = .tooMany(detail, retryAfter: Int((delay / .seconds(1)).rounded(.up)))
        case .store(.full): self = .overBound("There is no room to store the notification. \(detail)")
        case .store:
            self = Problem(
                .notStored, "The notification could not be stored and will not be delivered. \(detail) Try again later."
            )
        case .closed: self = .withoutHooks
        }
    }

    /// A delivery is not tried again: 404, 429, 507 or 503.
    init(_ refusal: RetryRefusal) {
        switch refusal {
        case .unknown: self = .notFound(refusal.description.sentence)
        case .refused(let refusal): self = Problem(refusal)
        }
    }
}

extension String {
    /// The text with a capital letter at its beginning and a full stop at its end.
    fileprivate var sentence: String {
        let text = prefix(1).uppercased() + dropFirst()
        return text.hasSuffix(".") ? text : text + "."
    }
}
