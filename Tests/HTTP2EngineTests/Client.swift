import CNGHTTP2
import HTTP2Engine
import HTTPTypes

/// nghttp2's client, so that the machine is tested against code that shares none of its own.
///
/// SAFETY: the session is deleted with the client, so that the pointer it calls back with is valid; texts and buffers are
/// used within the calls that give them.
final class Client {
    /// What came back on one stream.
    struct Answer {
        var status = 0
        var interim: [Int] = []
        var fields: [String: String] = [:]
        var content: [UInt8] = []
        var isEnded = false
        var code: UInt32?
        var text: String { String(decoding: content, as: UTF8.self) }
    }

    private var session: OpaquePointer?
    private(set) var answers: [Int32: Answer] = [:]
    private(set) var goAways: [(last: Int32, code: UInt32)] = []
    /// The streams of DATA frames, in order.
    private(set) var dataOrder: [Int32] = []
    private var bodies: [Int32] = []
    private var contents: [[UInt8]] = []
    private var sent: [Int] = []

    init(window: Int32? = nil, consumes: Bool = true) {
        var callbacks: OpaquePointer?
        nghttp2_session_callbacks_new(&callbacks)
        Self.set(callbacks)
        var option: OpaquePointer?
        nghttp2_option_new(&option)
        if !consumes { nghttp2_option_set_no_auto_window_update(option, 1) }
        nghttp2_session_client_new2(&session, callbacks, Unmanaged.passUnretained(self).toOpaque(), option)
        nghttp2_session_callbacks_del(callbacks)
        nghttp2_option_del(option)
        var settings: [nghttp2_settings_entry] = []
        if let window {
            let id = Int32(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue)
            settings.append(nghttp2_settings_entry(settings_id: id, value: UInt32(window)))
        }
        nghttp2_submit_settings(session, 0, settings, settings.count)
    }

    deinit { nghttp2_session_del(session) }

    /// Begins a request; returns its stream.
    @discardableResult
    func request(_ fields: [(String, String)], content: [UInt8]? = nil, trailers: [(String, String)] = []) -> Int32 {
        Self.withLines(fields) { lines, count in
            guard let content else { return nghttp2_submit_request(session, nil, lines, count, nil, nil) }
            contents.append(content)
            sent.append(0)
            var provider = cnghttp2_provider(Int32(contents.count - 1), Self.read)
            return nghttp2_submit_request(session, nil, lines, count, &provider, nil)
        }
    }

    func cancel(_ stream: Int32, code: HTTP2ErrorCode = .cancel) {
        nghttp2_submit_rst_stream(session, 0, stream, code.rawValue)
    }

    /// Opens the window of a stream, or with 0 of the connection.
    func open(_ stream: Int32, by count: Int32) {
        nghttp2_submit_window_update(session, 0, stream, count)
    }

    func output() -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            var data: UnsafePointer<UInt8>?
            let count = nghttp2_session_mem_send(session, &data)
            guard count > 0 else { return bytes }
            bytes.append(contentsOf: UnsafeBufferPointer(start: data, count: count))
        }
    }

    /// Takes bytes in; false where nghttp2 finds them wrong.
    @discardableResult
    func feed(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { nghttp2_session_mem_recv(session, $0.baseAddress, $0.count) } == bytes.count
    }

    /// Exchanges bytes with a link until neither has any.
    func talk(to link: Link) {
        while true {
            link.settle()
            let (up, down) = (output(), link.output)
            link.output = []
            if up.isEmpty, down.isEmpty { return }
            feed(down)
            link.feed(up)
        }
    }

    // MARK: Callbacks

    private static func set(_ callbacks: OpaquePointer?) {
        nghttp2_session_callbacks_set_on_header_callback(callbacks) { _, frame, name, count, value, length, _, user in
            guard let frame, let client = client(user) else { return 0 }
            let name = String(decoding: UnsafeBufferPointer(start: name, count: count), as: UTF8.self)
            let value = String(decoding: UnsafeBufferPointer(start: value, count: length), as: UTF8.self)
            let id = frame.pointee.hd.stream_id
            if name == ":status" {
                let status = Int(value) ?? 0
                if status < 200 {
                    client.answers[id, default: Answer()].interim.append(status)
                } else {
                    client.answers[id, default: Answer()].status = status
                }
            } else {
                client.answers[id, default: Answer()].fields[name] = value
            }
            return 0
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, id, bytes, count, user in
            let bytes = UnsafeBufferPointer(start: bytes, count: count)
            client(user)?.answers[id, default: Answer()].content.append(contentsOf: bytes)
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, user in
            guard let frame = frame?.pointee, let client = client(user) else { return 0 }
            let id = frame.hd.stream_id
            switch UInt32(frame.hd.type) {
            case NGHTTP2_DATA.rawValue: client.dataOrder.append(id)
            case NGHTTP2_GOAWAY.rawValue:
                client.goAways.append((frame.goaway.last_stream_id, frame.goaway.error_code))
                return 0
            case NGHTTP2_HEADERS.rawValue: break
            default: return 0
            }
            if frame.hd.flags & 1 != 0 { client.answers[id, default: Answer()].isEnded = true }
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, id, code, user in
            client(user)?.answers[id, default: Answer()].code = code
            return 0
        }
    }

    private static let read: nghttp2_data_source_read_callback = { _, _, buffer, maximum, flags, source, user in
        guard let client = client(user), let source, let flags, let buffer else { return 0 }
        let number = Int(source.pointee.fd)
        let content = client.contents[number]
        let start = client.sent[number]
        let count = min(maximum, content.count - start)
        // SAFETY: nghttp2's buffer has room for `maximum` bytes.
        for index in 0..<count { buffer[index] = content[start + index] }
        client.sent[number] += count
        if client.sent[number] == content.count { flags.pointee |= CNGHTTP2_DATA_END }
        return count
    }

    private static func withLines(
        _ fields: [(String, String)], _ body: (UnsafePointer<nghttp2_nv>?, Int) -> Int32
    ) -> Int32 {
        var text = fields.flatMap { Array($0.0.utf8) + Array($0.1.utf8) }
        return text.withUnsafeMutableBufferPointer { bytes in
            var lines: [nghttp2_nv] = []
            var start = 0
            for (name, value) in fields {
                guard let base = bytes.baseAddress else { break }
                let (count, length) = (name.utf8.count, value.utf8.count)
                lines.append(
                    nghttp2_nv(
                        name: base + start, value: base + start + count, namelen: count, valuelen: length, flags: 0))
                start += count + length
            }
            return body(lines, lines.count)
        }
    }
}

private func client(_ user: UnsafeMutableRawPointer?) -> Client? {
    user.map { Unmanaged<Client>.fromOpaque($0).takeUnretainedValue() }
}
