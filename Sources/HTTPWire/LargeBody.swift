package import HTTPTypes

/// Requests that may have more content than ``WireLimits/maxBody``, by their method and path.
package struct LargeBody: Sendable, Hashable {
    /// The method.
    package let method: HTTPRequest.Method
    /// What the path begins with.
    package let prefix: String
    /// What the path ends with.
    package let suffix: String
    /// The content of such a request after its transfer coding is taken off; more is answered 413.
    package let maxBody: Int

    /// Makes a rule.
    package init(method: HTTPRequest.Method, prefix: String, suffix: String, maxBody: Int) {
        self.method = method
        self.prefix = prefix
        self.suffix = suffix
        self.maxBody = maxBody
    }

    fileprivate func matches(_ method: HTTPRequest.Method?, _ target: String) -> Bool {
        guard method == self.method else { return false }
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        return path.count >= prefix.utf8.count + suffix.utf8.count && path.starts(with: prefix.utf8)
            && path.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }
}

extension WireLimits {
    /// The most content that a request may have.
    package func maxBody(_ method: HTTPRequest.Method?, _ target: String) -> Int {
        guard !largeBodies.isEmpty else { return maxBody }
        return largeBodies.reduce(maxBody) { $1.matches(method, target) ? max($0, $1.maxBody) : $0 }
    }
}
