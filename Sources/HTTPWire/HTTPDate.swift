import Notation

/// The `Date` field line of one second, ready to be copied into every response of that second.
///
/// Keep one for each event loop and make a new one when the second changes. The text is an
/// IMF-fixdate (RFC 9110, section 5.6.7), which has always 29 bytes.
package struct HTTPDate: Sendable, Hashable {
    /// The whole seconds since 1970-01-01T00:00:00Z that this is the date of.
    package let secondsSince1970: Int

    /// `Date: Tue, 15 Nov 1994 08:12:31 GMT` with its line end.
    package let line: [UInt8]

    /// Makes the line; leap seconds do not exist, as in POSIX time.
    ///
    /// Seconds outside of the years 0 to 9999 are moved to the nearest one inside.
    package init(secondsSince1970: Int) {
        let seconds = min(max(secondsSince1970, -62_167_219_200), 253_402_300_799)
        self.secondsSince1970 = seconds
        var line: [UInt8] = []
        line.reserveCapacity(37)
        line.append(contentsOf: "Date: ".utf8)
        Self.appendText(seconds, to: &line)
        line.append(contentsOf: "\r\n".utf8)
        self.line = line
    }

    /// The 29 characters of the date alone, for fields such as `Last-Modified`.
    package var text: String {
        String(decoding: line.dropFirst(6).dropLast(2), as: UTF8.self)
    }

    private static func appendText(_ seconds: Int, to out: inout [UInt8]) {
        var (days, time) = seconds.quotientAndRemainder(dividingBy: 86_400)
        if time < 0 {
            days -= 1
            time += 86_400
        }
        let date = CivilDate(daysSince1970: days)
        // 1970-01-01 was a Thursday; names begin at Sunday.
        let weekday = ((days + 4) % 7 + 7) % 7
        out.append(contentsOf: name(weekday, in: "SunMonTueWedThuFriSat"))
        out.append(contentsOf: ", ".utf8)
        appendDigits(date.day, width: 2, to: &out)
        out.append(UInt8(ascii: " "))
        out.append(contentsOf: name(date.month - 1, in: "JanFebMarAprMayJunJulAugSepOctNovDec"))
        out.append(UInt8(ascii: " "))
        appendDigits(date.year, width: 4, to: &out)
        out.append(UInt8(ascii: " "))
        appendDigits(time / 3600, width: 2, to: &out)
        out.append(UInt8(ascii: ":"))
        appendDigits(time / 60 % 60, width: 2, to: &out)
        out.append(UInt8(ascii: ":"))
        appendDigits(time % 60, width: 2, to: &out)
        out.append(contentsOf: " GMT".utf8)
    }

    private static func name(_ index: Int, in names: String) -> Substring.UTF8View {
        names.dropFirst(3 * index).prefix(3).utf8
    }

    private static func appendDigits(_ value: Int, width: Int, to out: inout [UInt8]) {
        var divisor = 1
        for _ in 1..<width { divisor *= 10 }
        while divisor > 0 {
            out.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / divisor % 10))
            divisor /= 10
        }
    }
}
