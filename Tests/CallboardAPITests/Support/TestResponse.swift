import Foundation
import Testing

/// An answer as a test sees it.
struct TestResponse {
    let status: Int
    let fields: [String: String]
    let body: [UInt8]

    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as a JSON object.
    var json: [String: Any] {
        get throws {
            guard let object = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] else {
                throw TestClientError(description: "not a JSON object: \(text)")
            }
            return object
        }
    }

    /// Checks the status and hands the answer on.
    @discardableResult
    func expect(_ status: Int, sourceLocation: SourceLocation = #_sourceLocation) -> TestResponse {
        #expect(self.status == status, "\(text)", sourceLocation: sourceLocation)
        return self
    }
}

/// JSON with sorted members on one line, so that equal values have equal texts.
func canonical(_ value: Any) throws -> String {
    let data = try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed])
    return String(decoding: data, as: UTF8.self)
}
