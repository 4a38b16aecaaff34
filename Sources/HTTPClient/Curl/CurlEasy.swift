import CCurl

/// One of libcurl's easy handles, used for one transfer after the other.
final class CurlEasy {
    /// libcurl's `CURL`.
    let handle: UnsafeMutableRawPointer
    private var fields: UnsafeMutablePointer<curl_slist>?
    private var addresses: UnsafeMutablePointer<curl_slist>?
    private let errorText: UnsafeMutablePointer<CChar>
    private var hook: TLSContextHook?
    private var isAccepted = true

    init() {
        // SAFETY: made here and freed in deinit. It fails only where there is no memory.
        guard let handle = curl_easy_init() else { preconditionFailure("libcurl has no memory for an easy handle") }
        self.handle = handle
        // SAFETY: as large as libcurl asks for, and freed in deinit, after the handle that writes to it.
        errorText = .allocate(capacity: CCURL_ERROR_SIZE)
        errorText.initialize(repeating: 0, count: CCURL_ERROR_SIZE)
    }

    deinit {
        // SAFETY: each is freed once, the handle before what it points to; it is in no multi handle any more.
        curl_easy_cleanup(handle)
        freeLists()
        errorText.deallocate()
    }

    /// Forgets everything of the transfer before; connections and TLS sessions are kept by libcurl.
    func reset() {
        // SAFETY: the handle is in no multi handle; the lists are freed once nothing points to them.
        curl_easy_reset(handle)
        freeLists()
        errorText[0] = 0
        hook = nil
        isAccepted = true
    }

    private func freeLists() {
        // SAFETY: both are lists that `append` made, or nil.
        curl_slist_free_all(fields)
        curl_slist_free_all(addresses)
        fields = nil
        addresses = nil
    }

    // MARK: Setting up

    /// Sets up a transfer, which has to outlive its time in the multi handle or in ``perform()``.
    ///
    /// - Returns: Whether libcurl takes all of it.
    func prepare(_ options: CurlOptions, for transfer: CurlTransfer) -> Bool {
        setRules(options)
        setTimes(options)
        set(CURLOPT_URL, options.url)
        setContent(options, of: transfer)
        setFields(options)
        setAddresses(options)
        setTrust(options.trust)
        if !options.resumesSessions { set(CURLOPT_SSL_SESSIONID_CACHE, 0) }
        // SAFETY: the text is as long as libcurl asks for, and freed after the handle.
        ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText)
        transfer.attach(to: handle)
        return isAccepted
    }

    /// Nothing is remembered, and nothing comes from the environment unless that is asked for.
    private func setRules(_ options: CurlOptions) {
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_NETRC, CCURL_NETRC_IGNORED)
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // HTTP/2 is agreed upon with TLS only (ALPN).
        set(CURLOPT_HTTP_VERSION, CCURL_HTTP_VERSION_2TLS)
        set(CURLOPT_FOLLOWLOCATION, options.redirects > 0 ? 1 : 0)
        if options.redirects > 0 {
            set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
            set(CURLOPT_MAXREDIRS, options.redirects)
        }
        guard !options.usesEnvironment else { return }
        set(CURLOPT_PROXY, "")
        set(CURLOPT_NOPROXY, "*")
        set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    }

    private func setTimes(_ options: CurlOptions) {
        if let time = options.connectTimeout { set(CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(time / .milliseconds(1)))) }
        if let time = options.timeout { set(CURLOPT_TIMEOUT_MS, max(1, Int(time / .milliseconds(1)))) }
        if let time = options.idleLifetime {
            set(CURLOPT_MAXAGE_CONN, max(1, Int(clamping: time.components.seconds)))
        }
    }

    private func setContent(_ options: CurlOptions, of transfer: CurlTransfer) {
        let method = options.method
        if let content = options.longContent {
            note(transfer.send(content, by: handle))
            if method != "POST" { set(CURLOPT_CUSTOMREQUEST, method) }
            return
        }
        guard !options.body.isEmpty || method == "POST" else {
            if method == "HEAD" {
                set(CURLOPT_NOBODY, 1)
            } else if method != "GET" {
                set(CURLOPT_CUSTOMREQUEST, method)
            }
            return
        }
        // SAFETY: libcurl copies the bytes of the body during the call.
        note(ccurl_set_body(handle, options.body, Int64(options.body.count)))
        if method != "POST" { set(CURLOPT_CUSTOMREQUEST, method) }
    }

    private func setFields(_ options: CurlOptions) {
        // A receiver that does not know it would make every request wait for a second.
        for name in ["Expect"] + options.omittedFields { append("\(name):", to: &fields) }
        for field in options.fields {
            // A name with nothing after the colon would take a field of libcurl's own away.
            append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)", to: &fields)
        }
        // SAFETY: the list is freed when the handle is reset or gone.
        note(ccurl_set_list(handle, CURLOPT_HTTPHEADER, fields))
    }

    /// Gives libcurl the addresses that were checked, so that it looks nothing up.
    private func setAddresses(_ options: CurlOptions) {
        guard let (host, port, all) = options.addresses else { return }
        let texts = all.map { HTTPHost.address($0).authority }
        // With "+" libcurl lets go of the entry when it has not been used for long.
        append("+\(host):\(port):\(texts.joined(separator: ","))", to: &addresses)
        // SAFETY: the list is freed when the handle is reset or gone.
        note(ccurl_set_list(handle, CURLOPT_RESOLVE, addresses))
        // Longer than any request: its addresses have to be there still if libcurl has to connect a second time.
        set(CURLOPT_DNS_CACHE_TIMEOUT, 3600)
    }

    private func setTrust(_ trust: CurlTrust) {
        switch trust {
        case .library: break
        case .authority(let pem):
            // SAFETY: libcurl copies the bytes during the call; nil is what it documents for "none".
            note(ccurl_set_text(handle, CURLOPT_CAPATH, nil))
            note(ccurl_set_blob(handle, CURLOPT_CAINFO_BLOB, pem, pem.count))
        case .hook(let hook):
            // Without these libcurl would read the system's certificates again.
            // SAFETY: nil is what libcurl documents for "none".
            note(ccurl_set_text(handle, CURLOPT_CAINFO, nil))
            note(ccurl_set_text(handle, CURLOPT_CAPATH, nil))
            setHook(hook)
        case .nobody(let hook):
            set(CURLOPT_SSL_VERIFYPEER, 0)
            set(CURLOPT_SSL_VERIFYHOST, 0)
            setHook(hook)
        }
    }

    private func setHook(_ hook: TLSContextHook) {
        self.hook = hook
        // SAFETY: libcurl calls it while a transfer of this handle connects, and the handle keeps the context until then.
        note(ccurl_set_tls_callback(handle, Self.prepareContext))
        note(ccurl_set_pointer(handle, CURLOPT_SSL_CTX_DATA, Unmanaged.passUnretained(hook).toOpaque()))
    }

    private static let prepareContext: ccurl_tls_callback = { _, tls, context in
        guard let tls, let context else { return CURLE_SSL_CONNECT_ERROR }
        // SAFETY: see `setHook`.
        Unmanaged<TLSContextHook>.fromOpaque(context).takeUnretainedValue().prepare(tls)
        return CURLE_OK
    }

    private func append(_ text: String, to list: inout UnsafeMutablePointer<curl_slist>?) {
        // SAFETY: libcurl copies the text. Without memory it returns nil and leaves the list as it was.
        if let longer = curl_slist_append(list, text) { list = longer }
    }

    private func set(_ option: CURLoption, _ value: Int) {
        // SAFETY: an option that takes a number.
        note(ccurl_set_long(handle, option, value))
    }

    private func set(_ option: CURLoption, _ value: String) {
        // SAFETY: an option that takes a text, which libcurl copies.
        note(ccurl_set_text(handle, option, value))
    }

    private func note(_ result: CURLcode) {
        if result != CURLE_OK { isAccepted = false }
    }

    // MARK: Running and asking

    /// Carries the transfer out, which blocks until it has ended.
    func perform() -> CURLcode {
        // SAFETY: the handle is configured and in no multi handle.
        curl_easy_perform(handle)
    }

    /// Reads on where the transfer has held the body back; on the thread of the multi handle.
    func resume() {
        // SAFETY: libcurl may call the transfer with what it has kept.
        curl_easy_pause(handle, CCURL_PAUSE_NONE)
    }

    /// A number that libcurl tells of the transfer, 0 where it knows none.
    func number(_ info: CURLINFO) -> Int {
        var value = 0
        // SAFETY: the value is written during the call, for information that is a number.
        return ccurl_get_long(handle, info, &value) == CURLE_OK ? value : 0
    }

    /// A count of bytes or microseconds that libcurl tells of the transfer, 0 where it knows none.
    func count(_ info: CURLINFO) -> Int64 {
        var value: Int64 = 0
        // SAFETY: as above, for information that is a size or a time.
        return ccurl_get_offset(handle, info, &value) == CURLE_OK ? value : 0
    }

    /// Whether the request was sent, or at least a connection for it is there.
    var hasConnected: Bool { count(CURLINFO_PRETRANSFER_TIME_T) > 0 }

    /// libcurl's description of the failure, with its detail if it has one.
    func explanation(of code: CURLcode) -> String {
        // SAFETY: libcurl ends its text with a zero, within the size.
        let detail = String(cString: errorText)
        return detail.isEmpty ? Self.text(of: code) : detail
    }

    /// libcurl's text of a code.
    static func text(of code: CURLcode) -> String {
        // SAFETY: the text is static.
        String(cString: curl_easy_strerror(code))
    }
}
