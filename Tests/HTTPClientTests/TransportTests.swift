import HTTPServer
import HTTPTypes
import Synchronization
import Testing

@testable import HTTPClient

@Suite("Sending webhooks")
struct TransportTests {
    @Test("a request arrives as it was given, with the fields that every one has")
    func request() async throws {
        try await HTTPReceiver.run { receiver in
            try await withTransport { fixture in
                let fields = [
                    HeaderField("webhook-id", "msg_1"), HeaderField("X-Empty", ""), HeaderField("X-Two", "a"),
                    HeaderField("X-Two", "b"),
                ]
                let result = await fixture.send(try receiver.url("/a/../b?c=d%20e"), #"{"ä":1}"#, fields: fields)
                #expect(result.value?.status == 204)
                #expect(result.value?.isHTTP2 == false)
                let received = try #require(receiver.received.first)
                #expect(received.method == "POST")
                #expect(received.target == "/a/../b?c=d%20e")
                #expect(received.body == Array(#"{"ä":1}"#.utf8))
                #expect(received.fields[.contentType] == "application/json")
                #expect(received.fields[.userAgent] == "callboard/1.2.3")
                #expect(received.authority == "127.0.0.1:\(receiver.port)")
                #expect(received.fields[.expect] == nil)
                #expect(received.fields[.acceptEncoding] == nil)
                let name = try #require(HTTPField.Name("webhook-id"))
                #expect(received.fields[name] == "msg_1")
                #expect(received.fields[values: try #require(HTTPField.Name("X-Two"))] == ["a", "b"])
                #expect(received.fields[values: try #require(HTTPField.Name("X-Empty"))] == [""])
            }
        }
    }

    @Test("a request's own fields stand in for those that every one has")
    func ownFields() async throws {
        try await HTTPReceiver.run { receiver in
            try await withTransport { fixture in
                let fields = [
                    HeaderField("content-type", "application/cloudevents+json"), HeaderField("USER-AGENT", "mine"),
                    HeaderField("Accept", "*/*"),
                ]
                #expect(await fixture.send(try receiver.url(), fields: fields).value?.status == 204)
                let received = try #require(receiver.received.first)
                #expect(received.fields[values: .contentType] == ["application/cloudevents+json"])
                #expect(received.fields[values: .userAgent] == ["mine"])
                #expect(received.fields[values: .accept] == ["*/*"])
            }
        }
    }
}
