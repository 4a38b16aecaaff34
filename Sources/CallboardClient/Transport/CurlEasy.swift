#if os(Linux)
    import CCurl
    import Foundation

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// libcurl's easy handle with a request, and what that points to.
    final class CurlEasy {
        /// libcurl's `CURL`.
        let handle: UnsafeMutableRawPointer
        private var fields: UnsafeMutablePointer<curl_slist>?
        private let errorText: UnsafeMutablePointer<CChar>

        /// Sets up a request; nil where libcurl does not take a part of it.
        init?(_ request: URLRequest, trusting authority: CertificateAuthority?) {
            // SAFETY: made here and freed in deinit, the handle first.
            guard let url = request.url, let handle = curl_easy_init() else { return nil }
            self.handle = handle
            errorText = .allocate(capacity: CCURL_ERROR_SIZE)
            errorText.initialize(repeating: 0, count: CCURL_ERROR_SIZE)
            // SAFETY: the text is as long as libcurl asks for.
            ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText)
            setFields(of: request)
            guard setRules(), setTimes(of: request), set(CURLOPT_URL, url.absoluteString),
                authority.map(setTrust) ?? true,
                setContent(of: request)
            else { return nil }
        }

        deinit {
            // SAFETY: each is freed once, the handle before what it points to; it is in no multi handle any more.
            curl_easy_cleanup(handle)
            curl_slist_free_all(fields)
            errorText.deallocate()
        }

        /// Redirects are followed as `URLSessionTransport` says: libcurl keeps `Authorization` and `Cookie` to the origin
        /// of the request, port and scheme included.
        private func setRules() -> Bool {
            set(CURLOPT_NOSIGNAL, 1) && set(CURLOPT_PROTOCOLS_STR, "http,https")
                && set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https") && set(CURLOPT_FOLLOWLOCATION, 1)
                && set(CURLOPT_MAXREDIRS, 16) && set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1) && set(CURLOPT_PATH_AS_IS, 1)
                && set(CURLOPT_HTTP_VERSION, CCURL_HTTP_VERSION_2TLS)
        }

        /// The request's time-out counts the time without a byte, as with `URLSession`, without the time in which the
        /// reader holds the body back.
        private func setTimes(of request: URLRequest) -> Bool {
            let seconds = Int(min(max(request.timeoutInterval.rounded(.up), 1), 10_000_000))
            return set(CURLOPT_LOW_SPEED_LIMIT, 1) && set(CURLOPT_LOW_SPEED_TIME, seconds)
                && set(CURLOPT_CONNECTTIMEOUT, min(seconds, 300))
        }

        /// Trusts the authority and no other; without any of the system's own files.
        private func setTrust(_ authority: CertificateAuthority) -> Bool {
            // SAFETY: libcurl copies the bytes during the call; nil is what it documents for "none".
            ccurl_set_text(handle, CURLOPT_CAPATH, nil) == CURLE_OK
                && ccurl_set_blob(handle, CURLOPT_CAINFO_BLOB, authority.pem, authority.pem.count) == CURLE_OK
        }

        private func setContent(of request: URLRequest) -> Bool {
            let (method, body) = (request.httpMethod ?? "GET", [UInt8](request.httpBody ?? Data()))
            guard !body.isEmpty || method == "POST" else {
                guard method != "HEAD" else { return set(CURLOPT_NOBODY, 1) }
                return method == "GET" || set(CURLOPT_CUSTOMREQUEST, method)
            }
            // SAFETY: libcurl copies the bytes during the call.
            guard ccurl_set_body(handle, body, Int64(body.count)) == CURLE_OK else { return false }
            return method == "POST" || set(CURLOPT_CUSTOMREQUEST, method)
        }

        private func setFields(of request: URLRequest) {
            var lines = ["User-Agent: CallboardClient"]
            // Without a value libcurl leaves a field of its own out. A server that does not know this one would make
            // every long request wait for a second.
            lines.append("Expect:")
            let fields = request.allHTTPHeaderFields ?? [:]
            let names = Set(fields.keys.map { $0.lowercased() })
            if names.contains("user-agent") { lines.removeFirst() }
            if !names.contains("content-type") { lines.append("Content-Type:") }
            lines += fields.map { $1.isEmpty ? "\($0);" : "\($0): \($1)" }
            for line in lines {
                // SAFETY: libcurl copies the text. Without memory it returns nil and leaves the list as it was.
                if let longer = curl_slist_append(self.fields, line) { self.fields = longer }
            }
            // SAFETY: the list is freed after the handle.
            ccurl_set_list(handle, CURLOPT_HTTPHEADER, self.fields)
        }

        private func set(_ option: CURLoption, _ value: Int) -> Bool {
            // SAFETY: an option that takes a number.
            ccurl_set_long(handle, option, value) == CURLE_OK
        }

        private func set(_ option: CURLoption, _ value: String) -> Bool {
            // SAFETY: an option that takes a text, which libcurl copies.
            ccurl_set_text(handle, option, value) == CURLE_OK
        }

        /// libcurl's description of the failure, with its detail if it has one.
        func explanation(of code: CURLcode) -> String {
            // SAFETY: libcurl ends its text with a zero, within the size; the other text is static.
            let detail = String(cString: errorText)
            return detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
        }
    }
#endif
