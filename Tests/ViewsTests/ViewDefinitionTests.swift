import Directors
import JSONValues
import Notation
import Testing

@testable import Views

@Suite("The definition of a view")
struct ViewDefinitionTests {
    /// The definition of the design, with every member but `limitBy`.
    static let whole = #"""
        {"from":"orders","parameters":{"station":{"type":"string","default":"grill"}},
        "where":{"and":[{"==":[{"var":"value.station"},{"var":"parameters.station"}]},{"!":{"var":"value.done"}}]},
        "sectionBy":{"key":{"var":"value.course"},"title":{"cat":["Course ",{"var":"key"}]},"order":"descending"},
        "sortBy":[{"key":{"var":"value.placedAt"},"order":"ascending","collation":"natural"}],"limit":200,
        "limitBy":"section","fields":["/table","/dish"],
        "totals":{"open":{"count":true},"amount":{"sum":{"var":"value.price"},"by":"section"}}}
        """#

    @Test("every member is read, and written so that it reads the same")
    func roundTrip() throws {
        let whole = try definition(Self.whole)
        #expect(whole.source == "orders")
        #expect(whole.parameters == [ViewParameter(name: "station", .string, initial: try json(#""grill""#))])
        #expect(whole.sectioning?.grouping?.direction == .descending)
        #expect(whole.sort.map(\.collation) == [.natural])
        #expect((whole.limit, whole.limitScope) == (200, .section))
        #expect(whole.shownFields?.map(\.description) == ["/table", "/dish"])
        #expect(whole.totals.map(\.function) == [.count, .sum])
        #expect(try definition(text { whole.encode(to: &$0) }) == whole)
    }

    @Test(
        "sections that are left out are the source's, and null is one section; both are written so",
        arguments: [
            (#"{"from":"a"}"#, nil), (#"{"from":"a","sectionBy":null}"#, ViewSectioning.single),
        ])
    func sectioning(_ text: String, _ expected: ViewSectioning?) throws {
        let read = try definition(text)
        #expect(read.sectioning == expected)
        #expect(try definition(ViewsTests.text { read.encode(to: &$0) }).sectioning == expected)
    }

    @Test(
        "a fault has a pointer into the definition and a sentence",
        arguments: [
            (#"[]"#, "", "expected a view, an object"),
            (#"{}"#, "", #"needs the member "from""#),
            (#"{"from":""}"#, "/from", "a name cannot be empty"),
            (#"{"from":"a","were":true}"#, "/were", "it has from, parameters, where"),
            (#"{"from":"a","where":{"equals":[1,2]}}"#, "/where/equals", "there is no operator"),
            (#"{"from":"a","where":{"var":"station"}}"#, "/where", #"there is no "station" to read"#),
            (#"{"from":"a","where":{"var":"parameters.x"}}"#, "/where", #"the view has no parameter "x""#),
            (#"{"from":"a","parameters":{"p":{}}}"#, "/parameters/p", #"needs the member "type""#),
            (#"{"from":"a","parameters":{"p":{"type":"date"}}}"#, "/parameters/p/type", "expected one of"),
            (
                #"{"from":"a","parameters":{"p":{"type":"integer","default":1.5}}}"#, "/parameters/p/default",
                "a whole number"
            ),
            (#"{"from":"a","parameters":{"":{"type":"string"}}}"#, "/parameters/", "a name cannot be empty"),
            (#"{"from":"a","sectionBy":{}}"#, "/sectionBy", #"needs the member "key""#),
            (#"{"from":"a","sectionBy":{"key":null}}"#, "/sectionBy/key", #"write "sectionBy": null"#),
            (#"{"from":"a","sectionBy":{"key":{"var":"key"}}}"#, "/sectionBy/key", #"there is no "key" to read"#),
            (#"{"from":"a","sectionBy":{"key":{"var":"id"},"title":{"var":"id"}}}"#, "/sectionBy/title", "reads key"),
            (#"{"from":"a","sectionBy":null,"keepEmpty":true}"#, "/keepEmpty", #"only where "sectionBy" is left out"#),
            (#"{"from":"a","sortBy":[{}]}"#, "/sortBy/0", #"needs the member "key""#),
            (#"{"from":"a","sortBy":[{"key":{"var":"id"},"order":"up"}]}"#, "/sortBy/0/order", "expected one of"),
            (#"{"from":"a","sortBy":{"key":{"var":"id"}}}"#, "/sortBy", "expected an array"),
            (#"{"from":"a","limit":0}"#, "/limit", "a whole number from 1"),
            (#"{"from":"a","limit":1e99}"#, "/limit", "a whole number from 1"),
            (#"{"from":"a","limitBy":"section"}"#, "/limitBy", #"the member "limit" is missing"#),
            (#"{"from":"a","fields":["table"]}"#, "/fields/0", "expected a JSON pointer"),
            ("{\"from\":\"a\",\"fields\":[\"\(String(repeating: "/", count: 101))\"]}", "/fields/0", "100 steps"),
            ("{\"from\":\"a\",\"fields\":[\"/\(String(repeating: "x", count: 1024))\"]}", "/fields/0", "1024 bytes"),
            (#"{"from":"a","totals":{"n":{}}}"#, "/totals/n", "exactly one of count"),
            (#"{"from":"a","totals":{"n":{"count":true,"sum":1}}}"#, "/totals/n", "exactly one of count"),
            (#"{"from":"a","totals":{"n":{"count":false}}}"#, "/totals/n/count", "expected true"),
            (#"{"from":"a","totals":{"n":{"sum":{"var":"price"}}}}"#, "/totals/n/sum", #"there is no "price" to read"#),
            (#"{"from":"a","totals":{"n":{"sum":1,"by":"model"}}}"#, "/totals/n/by", "expected one of"),
            (#"{"from":"a","totals":{"n":{"mean":1}}}"#, "/totals/n/mean", "it has count, sum"),
        ])
    func faults(_ text: String, _ pointer: String, _ sentence: String) throws {
        let error = #expect(throws: RepresentationError.self) { _ = try definition(text) }
        let fault = error?.faults.first
        #expect(fault?.pointer == pointer)
        #expect(fault?.detail.contains(sentence) == true, "\(fault?.detail ?? "")")
    }

    @Test("what may be there a bounded number of times is refused beyond")
    func bounds() throws {
        let rules = Array(repeating: #"{"key":{"var":"id"}}"#, count: 9).joined(separator: ",")
        let fields = (0..<65).map { "\"/m\($0)\"" }.joined(separator: ",")
        let totals = (0..<17).map { "\"t\($0)\":{\"count\":true}" }.joined(separator: ",")
        let parameters = (0..<33).map { "\"p\($0)\":{\"type\":\"string\"}" }.joined(separator: ",")
        for member in [
            "\"sortBy\":[\(rules)]", "\"fields\":[\(fields)]", "\"totals\":{\(totals)}",
            "\"parameters\":{\(parameters)}",
        ] {
            let error = #expect(throws: RepresentationError.self) { _ = try definition("{\"from\":\"a\",\(member)}") }
            #expect(error?.detail.contains("at most") == true)
        }
    }

    @Test("parameters are bound by name and type")
    func binding() throws {
        let read = try definition(
            #"{"from":"a","parameters":{"p":{"type":"integer"},"q":{"type":"boolean","default":true}}}"#)
        #expect(throws: Never.self) { _ = try ViewPlan(read, binding: ["p": try json("1")]) }
        for (bound, pointer) in [
            ([:], "/parameters/p"), (["p": try json("1.5")], "/parameters/p"),
            (["p": try json("1"), "q": try json("1")], "/parameters/q"),
            (["p": try json("1"), "r": try json("1")], "/parameters/r"),
        ] as [([Name: JSONValue], String)] {
            let error = #expect(throws: RepresentationError.self) { _ = try ViewPlan(read, binding: bound) }
            #expect(error?.pointer == pointer)
        }
    }
}
