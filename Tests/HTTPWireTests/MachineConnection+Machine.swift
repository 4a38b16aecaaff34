import HTTPTypes

@testable import HTTPWire

// What the tests ask of the machine itself: an expectation cannot be written about a value that is not copyable.
extension MachineConnection {
    var stage: HTTP1Machine.Stage { machine.stage }
    var isIdle: Bool { machine.isIdle }
    var keptBytes: Int { machine.keptBytes }
    var isSafe: Bool { machine.isSafe }
    var keepsAlive: Bool { machine.keepsAlive }
    var sendsChunks: Bool { machine.sendsChunks }
    var deadlineWhenDrained: HTTP1Machine.DeadlineChange { machine.deadlineWhenDrained }
    var newestStream: StreamID { machine.newestStream }

    func isAnswering(_ stream: StreamID) -> Bool { machine.isAnswering(stream) }
    func isStreaming(_ stream: StreamID) -> Bool { machine.isStreaming(stream) }
    func sendsContent(of status: HTTPResponse.Status) -> Bool { machine.sendsContent(of: status) }
    func refuse() -> StreamID? { machine.refuse() }
    func peerFinished(hasOutput: Bool) -> Bool { machine.peerFinished(hasOutput: hasOutput) }
    func discard(_ count: Int, limit: Int) -> Bool { machine.discard(count, limit: limit) }
    func expire(hasUnread: Bool) -> HTTP1Machine.ExpireAction { machine.expire(hasUnread: hasUnread) }
    func lastAnswerSent(isAllRead: Bool, hasUnread: Bool) -> Bool {
        machine.lastAnswerSent(isAllRead: isAllRead, hasUnread: hasUnread)
    }
    func endStream(peerHasFinished: Bool = false) -> Bool {
        machine.endStream(peerHasFinished: peerHasFinished, output: &output)
    }
}
