import CCurl

extension AnswerTransfer {
    /// The result of a transfer that has ended.
    func outcome(_ code: CURLcode, of easy: CurlEasy) -> Result<ClientResponse, ClientFailure> {
        guard code == CURLE_OK else { return outcome(failure(code, of: easy), of: easy) }
        guard hasWholeHeader else {
            return .failure(.cutOff(target: place, reason: "its header has no end"))
        }
        return .success(
            ClientResponse(
                status: easy.number(CURLINFO_RESPONSE_CODE), body: body, contentType: contentType,
                retryAfter: retryAfter, fields: fields,
                isHTTP2: easy.number(CURLINFO_HTTP_VERSION) == CCURL_HTTP_VERSION_2_0,
                isConnectionReused: easy.number(CURLINFO_NUM_CONNECTS) == 0))
    }

    /// The outcome of a failed transfer: its status, if only the status counts and the content is merely too long.
    ///
    /// Content that is cut off or stalls is a failure all the same: operations may have been in it, and the receiver is
    /// asked for them again.
    func outcome(_ failure: ClientFailure, of easy: CurlEasy) -> Result<ClientResponse, ClientFailure> {
        let status = easy.number(CURLINFO_RESPONSE_CODE)
        guard case .answerTooLarge = failure, takesStatusAlone, hasWholeHeader, status >= 200 else {
            return .failure(failure)
        }
        var response = ClientResponse(
            status: status, contentType: contentType, retryAfter: retryAfter, fields: fields,
            isHTTP2: easy.number(CURLINFO_HTTP_VERSION) == CCURL_HTTP_VERSION_2_0,
            isConnectionReused: easy.number(CURLINFO_NUM_CONNECTS) == 0)
        response.contentFailure = failure
        return .success(response)
    }

    private func failure(_ code: CURLcode, of easy: CurlEasy) -> ClientFailure {
        // A callback ended it, and knows better why.
        if let failure { return failure }
        let target = place
        if wasStopped {
            let reason = "the connection, which was used before, ended without an answer"
            return .cutOff(target: target, reason: reason)
        }
        let reason = easy.explanation(of: code)
        switch code {
        case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_INTERFACE_FAILED:
            return .notConnected(target: target, reason: reason)
        case CURLE_OPERATION_TIMEDOUT:
            // Of libcurl's own limits only the one for connecting is shorter than a request may be.
            return .notConnected(target: target, reason: reason)
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_USE_SSL_FAILED:
            return .notSecure(target: target, reason: reason)
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
            return .unreadable(target: target, reason: reason)
        case CURLE_FILESIZE_EXCEEDED:
            return .answerTooLarge(limit: maxAnswerBytes)
        default:
            return .cutOff(target: target, reason: reason)
        }
    }
}
