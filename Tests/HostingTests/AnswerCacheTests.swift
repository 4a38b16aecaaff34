import Directors
import JSONValues
import ListDiff
import Testing

@testable import Hosting

@Suite("Answers that are kept")
struct AnswerCacheTests {
    private func question(_ number: Int) -> AnswerCache.Question {
        AnswerCache.Question(
            level: .cell("M"), event: "rowHeight", place: .element(ElementPath(section: 0, element: number)),
            parameters: nil)
    }

    private func isKept(_ number: Int, in cache: AnswerCache) -> Bool {
        if case .answer? = cache.lookup(question(number)) { true } else { false }
    }

    @Test("the oldest go first, by number and by memory", arguments: [(8, 20_000), (1 << 16, 200)])
    func bounds(_ length: Int, _ count: Int) {
        var cache = AnswerCache()
        let value = JSONValue(string: String(repeating: "x", count: length))
        for number in 0..<count {
            let pending = cache.begin(question(number))
            cache.settle(pending, of: question(number), with: .hook(value))
            #expect(isKept(number, in: cache))
        }
        #expect(cache.count <= AnswerCache.maximumCount && cache.count * length <= AnswerCache.maximumBytes)
        #expect(cache.count > 100 && cache.count < count)
        #expect(!isKept(0, in: cache) && isKept(count - cache.count, in: cache))
    }

    @Test("long parameters that UIs ask with count as well as the values")
    func parameters() {
        var cache = AnswerCache()
        let length = 1 << 18
        for number in 0..<40 {
            let parameters = JSONValue(string: "\(number)" + String(repeating: "x", count: length))
            let asked = AnswerCache.Question(
                level: .cell("M"), event: "rowHeight", place: .element(ElementPath(section: 0, element: 0)),
                parameters: parameters)
            let pending = cache.begin(asked)
            cache.settle(pending, of: asked, with: .hook(JSONValue(string: "44")))
        }
        #expect(cache.count * length <= AnswerCache.maximumBytes && cache.count > 0)
    }

    @Test("a default is not kept, nor an answer to what has been asked before the cache was emptied")
    func whatIsKept() {
        var cache = AnswerCache()
        let value = JSONValue(string: "x")
        let defaulted = cache.begin(question(0))
        cache.settle(defaulted, of: question(0), with: EventAnswer(value: value, isFromHook: false, reason: nil))
        #expect(cache.lookup(question(0)) == nil)
        let late = cache.begin(question(1))
        guard case .inFlight(let same)? = cache.lookup(question(1)) else {
            Issue.record("it is not being asked")
            return
        }
        #expect(same === late)
        cache.clear()
        // Asked anew meanwhile: the late answer is not taken for the new one's.
        let anew = cache.begin(question(1))
        cache.settle(late, of: question(1), with: .hook(value))
        #expect(!isKept(1, in: cache))
        cache.settle(anew, of: question(1), with: .hook(value))
        #expect(isKept(1, in: cache))
    }

    @Test("whoever waits is told, also one who comes when the answer is there")
    func waiting() async {
        var cache = AnswerCache()
        let pending = cache.begin(question(0))
        cache.settle(pending, of: question(0), with: .hook(JSONValue(string: "x")))
        let answer = await withCheckedContinuation { pending.wait($0) }
        #expect(answer.value.text == #""x""#)
    }
}
