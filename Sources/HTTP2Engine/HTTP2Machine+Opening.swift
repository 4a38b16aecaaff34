internal import CNGHTTP2

extension HTTP2Machine {
    /// Makes nghttp2's session and queues the server's SETTINGS.
    func open() throws(HTTP2Failure) {
        var callbacks: OpaquePointer?
        var option: OpaquePointer?
        defer {
            nghttp2_session_callbacks_del(callbacks)
            nghttp2_option_del(option)
        }
        try check(nghttp2_session_callbacks_new(&callbacks))
        try check(nghttp2_option_new(&option))
        Self.setCallbacks(callbacks)
        nghttp2_option_set_no_closed_streams(option, 1)
        nghttp2_option_set_max_outbound_ack(option, limits.maxAcknowledgements)
        // An answer's fields are the server's own.
        nghttp2_option_set_max_send_header_block_length(option, 1 << 20)
        // Without this, frames of unknown types would be skipped without being counted.
        for type in UInt8(NGHTTP2_CONTINUATION.rawValue + 1)...UInt8.max {
            nghttp2_option_set_user_recv_extension_type(option, type)
        }
        // The machine counts them itself: by the clock that it is given, and with regard to what was answered.
        cnghttp2_lift_own_limits(option)
        // SAFETY: the session is deleted before the machine is, and calls it back only within calls of the machine's.
        let this = Unmanaged.passUnretained(self).toOpaque()
        try check(nghttp2_session_server_new2(&session, callbacks, this, option))
        try submitSettings()
    }

    private func submitSettings() throws(HTTP2Failure) {
        let settings = [
            setting(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, limits.maxStreams),
            setting(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, limits.streamWindow),
            setting(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, limits.maxFieldSection),
            // RFC 9218: no tree of priorities, which costs memory for streams that never were.
            setting(NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1),
        ]
        try check(nghttp2_submit_settings(session, 0, settings, settings.count))
        try check(nghttp2_session_set_local_window_size(session, 0, 0, Int32(clamping: limits.connectionWindow)))
    }

    private func setting(_ name: nghttp2_settings_id, _ value: Int) -> nghttp2_settings_entry {
        nghttp2_settings_entry(settings_id: Int32(name.rawValue), value: UInt32(clamping: value))
    }

    private func check(_ result: Int32) throws(HTTP2Failure) {
        if result != 0 { throw .engine(code: Int(result)) }
    }
}
