import HTTPClient

/// The addresses that begin with the same bits (RFC 4632, RFC 4291).
package struct AddressRange: Hashable, Sendable {
    /// The first address of the range.
    package let first: IPAddress
    /// How many bits its addresses have in common.
    package let length: Int

    /// Reads `10.1.0.0/16`, `fd00::/8`, or one address. Bits after the common ones have to be zero.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let start = parts.first, let first = IPAddress(start) else { return nil }
        if parts.count == 1 {
            length = first.width
        } else {
            guard parts[1].utf8.count <= 3, parts[1].utf8.allSatisfy(\.isDigit), let length = Int(parts[1]),
                length <= first.width
            else { return nil }
            self.length = length
        }
        self.first = first
        guard first.masked(to: length) == first else { return nil }
    }

    /// Whether an address lies in the range. One of the other family does not, whatever it stands for.
    package func contains(_ address: IPAddress) -> Bool {
        address.width == first.width && address.masked(to: length) == first
    }

    /// Whether the range is this one address.
    package func isOne(_ address: IPAddress) -> Bool { address == first && length == first.width }
}

extension AddressRange: CustomStringConvertible {
    /// `10.1.0.0/16`, or the address where it is only one.
    package var description: String { length == first.width ? "\(first)" : "\(first)/\(length)" }
}

extension IPAddress {
    /// How many bits addresses of this family have.
    fileprivate var width: Int {
        switch self {
        case .v4: 32
        case .v6: 128
        }
    }

    /// The address with zeros after its first `length` bits.
    fileprivate func masked(to length: Int) -> IPAddress {
        // Shifts by as many bits as there are give zero, as `<<` on fixed-width integers defines it.
        switch self {
        case .v4(let bits):
            .v4(bits & (UInt32.max << (32 - length)))
        case .v6(let high, let low):
            .v6(high & (UInt64.max << max(0, 64 - length)), low & (UInt64.max << min(64, 128 - length)))
        }
    }
}
