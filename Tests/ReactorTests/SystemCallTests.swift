import Glibc
import Testing

@testable import Reactor

@Suite("Calls that wait for events")
struct SystemCallTests {
    @Test("a signal that interrupts epoll_wait is no event; any other error is one, and not taken for a signal")
    func waiting() throws {
        func fails(with number: Int32) -> () -> Int {
            {
                errno = number
                return -1
            }
        }
        let events = try SystemCall.runWaiting("epoll_wait") { 3 }
        let afterSignal = try SystemCall.runWaiting("epoll_wait", fails(with: EINTR))
        #expect(events == 3 && afterSignal == 0)
        #expect(throws: SystemError(call: "epoll_wait", number: EINVAL)) {
            try SystemCall.runWaiting("epoll_wait", fails(with: EINVAL))
        }
    }
}
