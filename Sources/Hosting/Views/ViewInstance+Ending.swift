import DirectorLife
import Feed
import Reactor

/// How a view ends: with its source or its definition, or since nobody has read it for a while.
extension ViewInstance {
    /// Ends the instance: its streams end, and come back unless the view is gone.
    func retire(_ end: FeedEnd) {
        guard ending == nil else { return }
        ending = end
        environment.views.remove(self)
        source?.detach(self)
        host.detach(self)
        let frame = end == .over ? StreamEvent.deleted(name) : StreamEvent.moved(name)
        publisher.append(frame, version: versions.newest.version, end: end)
        publisher.releaseAll()
        followers?.tell(.ended)
        followers = nil
        environment.views.noteReleased(countedBytes, on: loop)
        count(bytes: 0)
        finishWaiting()
        clearInbox()
        BackgroundRelease.release(stored, afterTurnOf: loop)
        view = nil
    }

    /// Lets go of the instance once nobody has read it for as long as it stays.
    func watchIdleness(after delay: Duration) {
        loop.schedule(after: delay) { [weak self] in self?.enter { $0.endIfIdle() } }
    }

    private func endIfIdle() {
        guard ending == nil else { return }
        let idle = environment.views.limits.idle
        if !publisher.isEmpty || followers != nil || !waiting.isEmpty || inbox.isAwaited { lastUse = loop.now }
        let rest = lastUse &+ idle.nanoseconds
        guard rest <= loop.now else { return watchIdleness(after: .nanoseconds(Int64(clamping: rest &- loop.now))) }
        retire(.moved)
    }
}
