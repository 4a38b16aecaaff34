import Testing

@testable import CallboardClient

@Suite("Selections")
struct ListSelectionTests {
    @Test("a selection goes with the stream as a view's members do")
    func query() {
        let selection = ListSelection(
            where: ["!": ["var": "value.done"]], sortBy: [.descending("value.price"), .ascending("id")], limit: 50)
        #expect(
            selection.query.map { "\($0.0)=\($0.1)" } == [
                #"where={"!":{"var":"value.done"}}"#,
                #"sortBy=[{"key":{"var":"value.price"},"order":"descending"},{"key":{"var":"id"},"order":"ascending"}]"#,
                "limit=50",
            ])
        let bound = ListSelection(parameters: [.init("station", "bar")])
        #expect(bound.query.map { "\($0.0)=\($0.1)" } == ["parameters.station=bar"])
        #expect(ListSelection().query.isEmpty)
    }

    @Test("a list is followed with its selection, and with nothing of it unless given")
    func list() async throws {
        let transport = TestTransport([.failure("no"), .failure("no")])
        var options = StreamOptions()
        options.reconnect.maximumAttempts = 1
        let director = try Callboard(server: "http://localhost:8080", transport: transport).director("orders")
        for selection in [ListSelection(), ListSelection(limit: 3)] {
            await #expect(throws: ClientError.self) {
                for try await _ in director.list(options, selecting: selection) {}
            }
        }
        #expect(transport.requests.map { $0.url?.query } == [nil, "limit=3"])
    }
}
