import CNGHTTP2

extension HTTP2ClientEnd {
    /// Sets what the session calls.
    static func set(_ callbacks: OpaquePointer?) {
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, user in
            guard let frame else { return 0 }
            end(user)?.answer(on: frame.pointee.hd.stream_id)?.begin()
            return 0
        }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) { _, frame, name, count, value, length, _, user in
            guard let frame else { return 0 }
            let name = Array(UnsafeBufferPointer(start: name, count: count))
            let value = Array(UnsafeBufferPointer(start: value, count: length))
            end(user)?.answer(on: frame.pointee.hd.stream_id)?.add(name, value)
            return 0
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { session, _, stream, bytes, count, user in
            nghttp2_session_consume_connection(session, count)
            end(user)?.answer(on: stream)?.add(UnsafeBufferPointer(start: bytes, count: count))
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, user in
            guard let header = frame?.pointee.hd, let answer = end(user)?.answer(on: header.stream_id) else { return 0 }
            let isHeaders = header.type == UInt8(NGHTTP2_HEADERS.rawValue)
            guard isHeaders || header.type == UInt8(NGHTTP2_DATA.rawValue) else { return 0 }
            if isHeaders { answer.endHead() }
            if header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0 { answer.end() }
            return 0
        }
        nghttp2_session_callbacks_set_error_callback2(callbacks) { _, _, text, count, user in
            let bytes = UnsafeRawBufferPointer(start: text, count: count)
            end(user)?.note(fault: "nghttp2 says: " + String(decoding: bytes, as: UTF8.self))
            return 0
        }
        nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks) { _, frame, code, user in
            let stream = frame.map { $0.pointee.hd.stream_id } ?? 0
            let reason = String(cString: nghttp2_strerror(code))
            end(user)?.note(fault: "nghttp2 finds a frame on stream \(stream) wrong: \(reason)")
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, stream, _, user in
            end(user)?.answer(on: stream)?.cut()
            return 0
        }
    }

    /// Gives the session content of a request.
    static let readContent: nghttp2_data_source_read_callback = { _, stream, buffer, maximum, flags, _, user in
        guard let answer = end(user)?.answer(on: stream), let flags, let buffer else {
            return Int(CNGHTTP2_TEMPORAL_FAILURE)
        }
        let count = min(maximum, answer.content.count)
        // SAFETY: nghttp2's buffer has room for `maximum` bytes.
        for (index, byte) in answer.content.prefix(count).enumerated() { buffer[index] = byte }
        answer.content = answer.content.dropFirst(count)
        if answer.content.isEmpty, answer.isContentComplete {
            flags.pointee |= CNGHTTP2_DATA_END
        } else if count == 0 {
            answer.isDeferred = true
            return Int(CNGHTTP2_DEFERRED)
        }
        return count
    }

    /// Calls `body` with field lines as nghttp2 takes them.
    static func withLines(
        _ fields: [(String, [UInt8])], _ body: (UnsafePointer<nghttp2_nv>?, Int) -> Int32
    ) -> Int32 {
        var text = fields.flatMap { Array($0.0.utf8) + $0.1 }
        return text.withUnsafeMutableBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return -1 }
            var lines: [nghttp2_nv] = []
            var start = 0
            for (name, value) in fields {
                let (count, length) = (name.utf8.count, value.count)
                lines.append(
                    nghttp2_nv(
                        name: base + start, value: base + start + count, namelen: count, valuelen: length, flags: 0))
                start += count + length
            }
            return body(lines, lines.count)
        }
    }
}

private func end(_ user: UnsafeMutableRawPointer?) -> HTTP2ClientEnd? {
    user.map { Unmanaged<HTTP2ClientEnd>.fromOpaque($0).takeUnretainedValue() }
}
