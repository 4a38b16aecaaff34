import HTTPTypes
import Testing

@testable import HTTPWire

@Suite("Byte classes")
struct ByteClassTests {
    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

    private func expect(_ characters: String, _ isMember: (UInt8) -> Bool) {
        let members = Set((Self.letters + characters).utf8)
        for byte in UInt8.min...UInt8.max {
            #expect(isMember(byte) == members.contains(byte), "byte \(byte)")
        }
    }

    @Test("token characters are those of RFC 9110, section 5.6.2")
    func token() { expect("!#$%&'*+-.^_`|~", ByteClass.isToken) }

    @Test("registered name characters are RFC 3986's unreserved and sub-delimiters")
    func registeredName() { expect("-._~!$&'()*+,;=", ByteClass.isRegisteredName) }

    @Test("target characters are RFC 3986's path and query characters and those that browsers leave")
    func target() { expect("-._~!$&'()*+,;=:@/?[]\\^`{|}", ByteClass.isTarget) }

    @Test("controls are all below space but the tab, and DEL")
    func control() {
        for byte in UInt8.min...UInt8.max {
            #expect(ByteClass.isControl(byte) == ((byte < 32 && byte != 9) || byte == 127), "byte \(byte)")
        }
    }
}
