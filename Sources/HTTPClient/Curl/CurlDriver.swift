import CCurl
import Reactor

/// An actor that runs transfers with a multi handle on its loop.
protocol CurlDriver: LoopActor, EventHandler {
    /// The multi handle, whose owner is this actor.
    var multi: CurlMulti { get }

    /// Takes a transfer that has ended, by the pointer of its easy handle.
    func take(_ easy: UnsafeMutableRawPointer, _ code: CURLcode)

    /// Called after each time that libcurl was given something to do.
    func transfersWereTaken()
}

extension CurlDriver {
    /// Goes on with a socket; called by the loop, and the token is the socket's number.
    nonisolated func socketIsReady(_ readiness: Readiness, token: UInt64) {
        assumeIsolated { driver in
            driver.multi.socket(Int32(truncatingIfNeeded: token), isReady: readiness)
            driver.takeTransfers()
        }
    }

    /// Goes on with what libcurl's timer was set for; called by the loop.
    nonisolated func timerFired() {
        assumeIsolated { driver in
            driver.multi.timerFired()
            driver.takeTransfers()
        }
    }

    private func takeTransfers() {
        while let (easy, code) = multi.nextDone() { take(easy, code) }
        transfersWereTaken()
    }
}
