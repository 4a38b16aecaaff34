extension String {
    /// Makes a text of bytes, if they are UTF-8.
    ///
    /// - Complexity: O(*n*) in the number of bytes.
    package init?(validUTF8 bytes: [UInt8]) {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            self.init(validating: bytes, as: UTF8.self)
        } else {
            // What is no UTF-8 is repaired, and then has other bytes.
            self.init(decoding: bytes, as: UTF8.self)
            guard utf8.elementsEqual(bytes) else { return nil }
        }
    }
}
