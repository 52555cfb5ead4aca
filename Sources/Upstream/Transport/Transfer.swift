import CCurl
import Foundation
import Model

/// One transfer: libcurl's easy handle and what its callbacks collect. Confined to the transport's thread.
final class Transfer {
    let order: TransferOrder
    let easy: UnsafeMutableRawPointer
    /// Whether the admission has allowed the request.
    private(set) var mayHaveLeft = false

    private let continuation: CheckedContinuation<Exchange, Never>
    private let errorText: UnsafeMutablePointer<CChar>
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private var headers: [String: String] = [:]
    private var body: [UInt8] = []
    private var receivedBytes = 0
    private var sentFileBytes = 0
    private var isTooLarge = false
    private var wasRefused = false
    private var wasRefusedResend = false
    /// Whether the host has an address to which the request may not connect.
    private var wasForbidden = false

    init(_ order: TransferOrder, userAgent: String, continuation: CheckedContinuation<Exchange, Never>) {
        self.order = order
        self.continuation = continuation
        guard let easy = curl_easy_init() else { preconditionFailure("no memory for a libcurl handle") }
        self.easy = easy
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        _ = ccurl_set_error_buffer(easy, errorText)
        setOptions(userAgent)
        setMethodAndBody()
        setHeaders()
        setCallbacks()
        if order.allowedAddresses != nil { checkAddresses() }
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(headerList)
        errorText.deallocate()
    }

    func finish(_ exchange: Exchange) {
        continuation.resume(returning: exchange)
    }

    /// Translates libcurl's result.
    func outcome(_ code: CURLcode) -> Exchange.Outcome {
        if wasRefused { return .notAdmitted }
        if wasRefusedResend {
            return .failed(.connectionFailed("it was closed before an answer came; the request was not repeated"))
        }
        if wasForbidden, code != CURLE_OK {
            return .failed(.connectionFailed(order.allowedAddresses?.refusal ?? "its address is not allowed"))
        }
        if isTooLarge { return .failed(.responseTooLarge(limit: order.limits.maximumResponseBytes)) }
        switch code {
        case CURLE_OK:
            return .answered(UpstreamResponse(status: ccurl_status(easy), headers: headers, body: body))
        case CURLE_OPERATION_TIMEDOUT:
            return .failed(.timedOut)
        default:
            let detail = String(cString: errorText)
            let reason = String(cString: curl_easy_strerror(code))
            return .failed(.connectionFailed(order.redacted(detail.isEmpty ? reason : detail)))
        }
    }

    private func setOptions(_ userAgent: String) {
        set(CURLOPT_URL, order.url)
        set(CURLOPT_USERAGENT, userAgent)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        // The empty text means every encoding that this libcurl can decode.
        set(CURLOPT_ACCEPT_ENCODING, "")
        if order.bypassesProxies { set(CURLOPT_PROXY, "") }
        // Without this, the hosts of the variable no_proxy would be connected to without a look at their addresses.
        if order.requiresProxy { set(CURLOPT_NOPROXY, "") }
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_NOSIGNAL, 1)
        // Without this, ending a transfer whose name lookup hangs would block this thread until the lookup returns.
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_CONNECTTIMEOUT_MS, order.limits.connectTimeout.milliseconds)
        set(CURLOPT_TIMEOUT_MS, order.limits.totalTimeout.milliseconds)
    }

    private func setMethodAndBody() {
        if let file = order.file {
            _ = ccurl_set_upload(
                easy, { buffer, size, count, context in Transfer.from(context).readFile(into: buffer, size * count) },
                Unmanaged.passUnretained(self).toOpaque(), file.bytes)
            set(CURLOPT_CUSTOMREQUEST, order.method.rawValue)
            return
        }
        let carriesBody = order.method == .post || order.method == .put
        if carriesBody || order.body != nil {
            // An empty body is also set: some upstreams answer 411 without Content-Length: 0.
            let bytes = order.body ?? []
            _ = bytes.withUnsafeBytes { ccurl_set_body(easy, $0.baseAddress ?? UnsafeRawPointer(errorText), $0.count) }
        }
        set(CURLOPT_CUSTOMREQUEST, order.method.rawValue)
    }

    private func setHeaders() {
        // Without these lines, libcurl waits a second for "100 Continue" and declares every body to be a form.
        var lines = ["Expect:"]
        if !order.headerLines.contains(where: { $0.lowercased().hasPrefix("content-type") }) {
            lines.append("Content-Type:")
        }
        for line in lines + order.headerLines {
            headerList = curl_slist_append(headerList, line)
        }
        _ = ccurl_set_headers(easy, headerList)
    }

    private func set(_ option: CURLoption, _ value: Int) { _ = ccurl_set_long(easy, option, value) }
    private func set(_ option: CURLoption, _ value: String) { _ = ccurl_set_string(easy, option, value) }
}

extension Transfer {
    private func setCallbacks() {
        _ = ccurl_set_callbacks(
            easy,
            { bytes, size, count, context in Transfer.from(context).received(bytes, size * count) },
            { bytes, size, count, context in Transfer.from(context).receivedHeader(bytes, size * count) },
            { context, address, _, _, _ in
                Transfer.from(context).mayBeSent(to: address) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
            },
            { context, socket, _ in Transfer.from(context).configure(socket) },
            Unmanaged.passUnretained(self).toOpaque())
    }

    private func checkAddresses() {
        _ = ccurl_set_open_socket(
            easy,
            { context, _, address in Transfer.from(context).open(address) },
            Unmanaged.passUnretained(self).toOpaque())
    }

    /// Called with each address of the host, before a connection to it is made.
    private func open(_ address: UnsafeMutablePointer<curl_sockaddr>?) -> curl_socket_t {
        guard let address else { return CURL_SOCKET_BAD }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = Int(ccurl_address(address, &bytes))
        guard order.allowedAddresses?.contain(Array(bytes.prefix(count))) ?? true else {
            wasForbidden = true
            return CURL_SOCKET_BAD
        }
        return ccurl_open_socket(address)
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> Transfer {
        // TransportLoop retains the transfer as long as libcurl may call back.
        guard let context else { preconditionFailure("libcurl called back without its context") }
        return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }

    /// libcurl calls this each time it is about to write the request, including when it repeats the request by itself.
    ///
    /// - Parameter address: the one to which the connection leads. A pooled connection may be that of an earlier request
    ///   with other rules, and was not opened by this one.
    private func mayBeSent(to address: UnsafePointer<CChar>?) -> Bool {
        if let allowed = order.allowedAddresses, !allowed.contain(address.map { String(cString: $0) } ?? "") {
            wasForbidden = true
            return false
        }
        if mayHaveLeft {
            wasRefusedResend = true
            return false
        }
        guard !order.isCancelled, order.admission() else {
            wasRefused = true
            return false
        }
        mayHaveLeft = true
        return true
    }

    private func received(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        let part = UnsafeRawBufferPointer(start: bytes, count: count)
        if let receive = order.receive, isSuccess {
            receive(Array(part))
            return count
        }
        guard makeRoom(for: count) else { return 0 }
        body.append(contentsOf: part)
        return count
    }

    private var isSuccess: Bool { (200..<300).contains(ccurl_status(easy)) }

    private func readFile(into buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int) -> Int {
        let buffer = UnsafeMutableRawBufferPointer(start: buffer, count: capacity)
        guard let count = order.file?.read(into: buffer, from: sentFileBytes) else { return Int(CURL_READFUNC_ABORT) }
        sentFileBytes += count
        return count
    }

    private func receivedHeader(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard makeRoom(for: count) else { return 0 }
        let line = String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
        if line.hasPrefix("HTTP/") {
            // The lines so far belong to an interim answer (1xx).
            headers = [:]
        } else if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...]
            headers[line[..<colon].lowercased()] = value.trimmingCharacters(in: .whitespacesAndNewlines)
        } else if let receive = order.receive, isSuccess {
            // The empty line after the headers.
            receive([])
        }
        return count
    }

    private func makeRoom(for count: Int) -> Bool {
        receivedBytes += count
        isTooLarge = receivedBytes > order.limits.maximumResponseBytes
        return !isTooLarge
    }

    /// Makes any end of the connection, including `kill -9`, discard what the kernel has not delivered yet, so that no
    /// request arrives after it was given up.
    private func configure(_ socket: curl_socket_t) -> Int32 {
        var discard = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &discard, socklen_t(MemoryLayout<linger>.size))
        var unacknowledged = UInt32(clamping: order.limits.totalTimeout.milliseconds)
        setsockopt(
            socket, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &unacknowledged, socklen_t(MemoryLayout<UInt32>.size))
        // A child process must not keep the connection open.
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        return CURL_SOCKOPT_OK
    }
}

extension Duration {
    /// Whole milliseconds, at least 1: libcurl interprets 0 as "no limit".
    fileprivate var milliseconds: Int { max(1, Int(microseconds / 1_000)) }
}
