internal import CNGHTTP2
internal import HTTPTypes

extension HTTP2Machine {
    /// Has nghttp2 call the machine. Each callback finds the machine by the pointer that the session was made with.
    static func setCallbacks(_ callbacks: OpaquePointer?) {
        setReceivingCallbacks(callbacks)
        nghttp2_session_callbacks_set_before_frame_send_callback(callbacks) { _, frame, user in
            guard let frame else { return failed }
            return machine(user) { $0.willSend(frame.pointee) }
        }
        nghttp2_session_callbacks_set_send_data_callback(callbacks) { _, _, header, count, source, user in
            guard let header, let source else { return failed }
            return machine(user) { $0.completeData(header, count, place: Int(source.pointee.fd)) }
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, id, code, user in
            machine(user) { $0.streamClosed(id, HTTP2ErrorCode(rawValue: code)) }
        }
    }

    private static func setReceivingCallbacks(_ callbacks: OpaquePointer?) {
        nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks) { _, header, user in
            guard let header else { return failed }
            return machine(user) { $0.frameBegins(header.pointee) }
        }
        nghttp2_session_callbacks_set_unpack_extension_callback(callbacks) { _, _, _, _ in
            // A frame of a type that means nothing here is thrown away (RFC 9113, section 5.5).
            Int32(CNGHTTP2_CANCEL)
        }
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, user in
            guard let frame else { return failed }
            return machine(user) { $0.fieldsBegin(frame.pointee) }
        }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _, frame, name, nameCount, value, count, _, user in
            guard let frame else { return failed }
            // SAFETY: nghttp2 owns both texts, which are valid until the callback returns.
            let name = UnsafeBufferPointer(start: name, count: nameCount)
            let value = UnsafeBufferPointer(start: value, count: count)
            return machine(user) { $0.received(frame.pointee, name: name.span, value: value.span) }
        }
        nghttp2_session_callbacks_set_on_invalid_header_callback(callbacks) { _, _, _, _, _, _, _, _ in
            // By itself nghttp2 would leave the field out. RFC 9113, section 8.2.1: the request is malformed.
            Int32(CNGHTTP2_TEMPORAL_FAILURE)
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, id, bytes, count, user in
            // SAFETY: as above.
            let bytes = UnsafeBufferPointer(start: bytes, count: count)
            return machine(user) { $0.receivedContent(id, bytes.span) }
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, user in
            guard let frame else { return failed }
            return machine(user) { $0.received(frame.pointee) }
        }
    }

    /// Gives content of a stream to nghttp2.
    static let readContent: nghttp2_data_source_read_callback = { _, _, _, maximum, flags, source, user in
        guard let flags, let source else { return Int(failed) }
        return machine(user) { $0.pull(Int(source.pointee.fd), maximum, &flags.pointee) }
    }
}

private let failed = Int32(CNGHTTP2_CALLBACK_FAILURE)

/// Calls a function with the machine that a session was made with.
@inline(__always)
private func machine<Result: FixedWidthInteger>(
    _ user: UnsafeMutableRawPointer?, _ body: (HTTP2Machine) -> Result
) -> Result {
    guard let user else { return Result(truncatingIfNeeded: CNGHTTP2_CALLBACK_FAILURE) }
    // SAFETY: the session is deleted before the machine is, and whoever called it holds the machine.
    return Unmanaged<HTTP2Machine>.fromOpaque(user)._withUnsafeGuaranteedRef(body)
}
