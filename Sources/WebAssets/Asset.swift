import CWebAssets
import CZlib

/// A file that the server gives to browsers: the JavaScript client's module and types, and the console's pages.
///
/// The files are part of the program. `Config/assets` makes them of the sources in `client` and `console`, with a form for
/// each content coding; a document that the program writes itself is compressed once.
package struct Asset: Sendable {
    /// A content coding (RFC 9110, section 8.4.1).
    package enum Coding: String, Sendable {
        /// Brotli (RFC 7932), which browsers take from `https` and from loopback addresses.
        case br
        /// gzip (RFC 1952).
        case gzip
        /// The file as it is.
        case identity
    }

    /// The file in one coding.
    package struct Form: Sendable {
        /// The coding.
        package let coding: Coding
        /// The bytes in that coding.
        package let bytes: [UInt8]
        /// A strong entity tag, with its quotes: forms differ, so their tags do (RFC 9110, section 8.8.3.3).
        package let tag: String
    }

    /// The path below the server's root, such as `console/console.css`.
    package let path: String
    /// The media type, by the end of the path.
    package let mediaType: String
    /// The forms, as `Config/assets` orders them, the smallest first; the last is the file as it is.
    package let forms: [Form]

    /// The file in the coding that comes first of those that a client takes.
    ///
    /// Complexity: one call of `isTaken` for each form.
    package func form(where isTaken: (Coding) -> Bool) -> Form? {
        forms.first { isTaken($0.coding) }
    }

    private init(path: String, forms: [Form]) {
        self.path = path
        mediaType = Asset.mediaType(of: path)
        self.forms = forms
    }

    /// A document that the program has written, with a form in gzip.
    ///
    /// - Parameters:
    ///   - path: The path below the server's root, whose end says the media type.
    ///   - bytes: The document, shorter than 4 GiB.
    ///   - digest: A text of printable ASCII that is another one for each document.
    /// - Complexity: O(*n*) in the length of the document; about 40 MB a second.
    package init(path: String, compressing bytes: [UInt8], digest: String) {
        var compressed = [UInt8](repeating: 0, count: czlib_gzip_bound(bytes.count))
        let count = czlib_gzip(bytes, bytes.count, &compressed)
        let gzip = Form(coding: .gzip, bytes: Array(compressed.prefix(count)), tag: Asset.tag(digest, .gzip))
        let identity = Form(coding: .identity, bytes: bytes, tag: Asset.tag(digest, .identity))
        self.init(path: path, forms: count > 0 ? [gzip, identity] : [identity])
    }

    private static func tag(_ digest: String, _ coding: Coding) -> String {
        "\"\(digest)\(coding == .identity ? "" : "-\(coding.rawValue)")\""
    }

    private static func mediaType(of path: String) -> String {
        switch path.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "ts": "application/typescript; charset=utf-8"
        case "json": "application/json"
        case "svg": "image/svg+xml"
        default: "application/octet-stream"
        }
    }
}

extension Asset {
    /// Every file by its path, copied once from the program's constants. Any thread.
    package static let all: [String: Asset] = {
        var forms: [String: [Form]] = [:]
        var position = 0
        // SAFETY: what is pointed to are constants of the program: three texts that end with a zero byte, and `count` bytes.
        while let entry = callboard_asset_at(position)?.pointee {
            position += 1
            guard let coding = Coding(rawValue: String(cString: entry.coding)) else { continue }
            let bytes = Array(UnsafeBufferPointer(start: entry.bytes, count: entry.count))
            let tag = tag(String(cString: entry.digest), coding)
            forms[String(cString: entry.path), default: []].append(Form(coding: coding, bytes: bytes, tag: tag))
        }
        return Dictionary(uniqueKeysWithValues: forms.map { ($0, Asset(path: $0, forms: $1)) })
    }()
}
