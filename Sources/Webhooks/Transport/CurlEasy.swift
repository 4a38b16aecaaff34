import CCurl

/// One of libcurl's easy handles, used for one transfer after the other.
final class CurlEasy {
    /// libcurl's `CURL`.
    let handle: UnsafeMutableRawPointer
    private var fields: UnsafeMutablePointer<curl_slist>?
    private var addresses: UnsafeMutablePointer<curl_slist>?
    private let errorText: UnsafeMutablePointer<CChar>

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
    }

    private func freeLists() {
        // SAFETY: both are lists that `append` made, or nil.
        curl_slist_free_all(fields)
        curl_slist_free_all(addresses)
        fields = nil
        addresses = nil
    }

    // MARK: Setting up

    /// Sets up a transfer. `transfer` has to outlive its time in the multi handle, `multi` and `trust` every connection.
    func prepare(
        _ transfer: CurlTransfer, on multi: CurlMulti, trust: TrustStore, configuration: TransportConfiguration
    ) {
        let request = transfer.request
        setRules(isSecure: request.url.target.isSecure, configuration: configuration)
        set(CURLOPT_URL, request.url.text)
        set(CURLOPT_POST, 1)
        // SAFETY: libcurl copies the bytes of the body during the call.
        ccurl_set_body(handle, request.body, Int64(request.body.count))
        if request.method != "POST" { set(CURLOPT_CUSTOMREQUEST, request.method) }
        setFields(of: request, configuration: configuration)
        setAddresses(of: transfer)
        // SAFETY: the text is as long as libcurl asks for, and freed after the handle.
        ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText)
        transfer.attach(to: handle)
        // SAFETY: connections keep this context; the multi object is closed, and them with it, before it goes.
        ccurl_set_close_callback(handle, CurlMulti.closeSocket)
        ccurl_set_pointer(handle, CURLOPT_CLOSESOCKETDATA, Unmanaged.passUnretained(multi).toOpaque())
        if request.url.target.isSecure { setTrust(trust) }
    }

    /// The common options of all requests: nothing comes from the environment, and nothing is followed or remembered.
    private func setRules(isSecure: Bool, configuration: TransportConfiguration) {
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_PROXY, "")
        set(CURLOPT_NOPROXY, "*")
        set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_NETRC, CCURL_NETRC_IGNORED)
        set(CURLOPT_MAXAGE_CONN, max(1, Int(clamping: configuration.idleConnectionLifetime.components.seconds)))
        if let timeout = configuration.connectTimeout {
            set(CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(timeout / .milliseconds(1))))
        }
        // Longer than any request: its addresses have to be there still if libcurl has to connect a second time.
        set(CURLOPT_DNS_CACHE_TIMEOUT, 3600)
        // HTTP/2 is agreed upon with TLS only (ALPN).
        set(CURLOPT_HTTP_VERSION, isSecure ? CCURL_HTTP_VERSION_2TLS : CCURL_HTTP_VERSION_1_1)
    }

    private func setFields(of request: WebhookRequest, configuration: TransportConfiguration) {
        let names = Set(request.fields.map { $0.name.lowercased() })
        if !names.contains("user-agent") { set(CURLOPT_USERAGENT, "callboard/\(configuration.version)") }
        // A receiver that does not know it would make every request wait for a second.
        append("Expect:", to: &fields)
        if !names.contains("content-type") { append("Content-Type: application/json", to: &fields) }
        if !names.contains("accept") { append("Accept: application/json", to: &fields) }
        for field in request.fields {
            // A name with nothing after the colon would take a field of libcurl's own away.
            append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)", to: &fields)
        }
        // SAFETY: the list is freed when the handle is reset or gone.
        ccurl_set_list(handle, CURLOPT_HTTPHEADER, fields)
    }

    /// Gives libcurl the addresses that were checked, so that it looks nothing up.
    private func setAddresses(of transfer: CurlTransfer) {
        guard case .name(let name) = transfer.request.url.target.host else { return }
        let texts = transfer.addresses.map { WebhookHost.address($0).authority }
        // With "+" libcurl lets go of the entry when it has not been used for long.
        append(
            "+\(name):\(transfer.request.url.target.port):\(texts.joined(separator: ","))", to: &addresses)
        // SAFETY: the list is freed when the handle is reset or gone.
        ccurl_set_list(handle, CURLOPT_RESOLVE, addresses)
    }

    private func setTrust(_ trust: TrustStore) {
        // Without these libcurl would read the system's certificates again.
        // SAFETY: nil is what libcurl documents for "none"; the callback's context outlives every connection.
        ccurl_set_text(handle, CURLOPT_CAINFO, nil)
        ccurl_set_text(handle, CURLOPT_CAPATH, nil)
        ccurl_set_tls_callback(handle, CurlTransfer.useTrust)
        ccurl_set_pointer(handle, CURLOPT_SSL_CTX_DATA, UnsafeMutableRawPointer(trust.pointer))
    }

    private func append(_ text: String, to list: inout UnsafeMutablePointer<curl_slist>?) {
        // SAFETY: libcurl copies the text. Without memory it returns nil and leaves the list as it was.
        if let longer = curl_slist_append(list, text) { list = longer }
    }

    private func set(_ option: CURLoption, _ value: Int) {
        // SAFETY: an option that takes a number.
        let result = ccurl_set_long(handle, option, value)
        assert(result == CURLE_OK, "libcurl refuses \(value) for option \(option.rawValue)")
    }

    private func set(_ option: CURLoption, _ value: String) {
        // SAFETY: an option that takes a text, which libcurl copies.
        let result = ccurl_set_text(handle, option, value)
        assert(result == CURLE_OK, "libcurl refuses '\(value)' for option \(option.rawValue)")
    }

    // MARK: Asking

    /// A number that libcurl tells of the transfer, 0 where it knows none.
    func number(_ info: CURLINFO) -> Int {
        var value = 0
        // SAFETY: the value is written during the call, for information that is a number.
        return ccurl_get_long(handle, info, &value) == CURLE_OK ? value : 0
    }

    /// Whether the request was sent, or at least a connection for it is there.
    var hasConnected: Bool {
        var microseconds: Int64 = 0
        // SAFETY: as above, for information that is a time.
        return ccurl_get_offset(handle, CURLINFO_PRETRANSFER_TIME_T, &microseconds) == CURLE_OK && microseconds > 0
    }

    /// libcurl's description of the failure, with its detail if it has one.
    func explanation(of code: CURLcode) -> String {
        // SAFETY: libcurl ends its text with a zero, within the size; the other text is static.
        let detail = String(cString: errorText)
        return detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
    }
}
