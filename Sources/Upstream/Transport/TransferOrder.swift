import Glibc
import Model
import Platform
import Synchronization

/// Everything that the transport's thread needs for one transfer, validated before the handover.
final class TransferOrder: Sendable {
    let id: UInt64
    let method: UpstreamRequest.Method
    /// Contains secrets.
    let url: String
    /// Lines as libcurl expects them: `Name: value`, or `Name;` for an empty value. Contains secrets.
    let headerLines: [String]
    let body: [UInt8]?
    let file: FileBody?
    let limits: TransferLimits
    let bypassesProxies: Bool
    /// Whether the request takes the proxy even if `no_proxy` names its host: only the proxy judges its address.
    let requiresProxy: Bool
    /// `nil` if the transport cannot judge by addresses, or need not.
    let allowedAddresses: AllowedAddresses?
    let admission: @Sendable () -> Bool
    let receive: (@Sendable ([UInt8]) -> Void)?
    private let secrets: [Secret]
    private let cancelled = Atomic(false)

    private static let lastID = Atomic<UInt64>(0)

    init(
        _ request: UpstreamRequest, to base: BaseURL, limits: TransferLimits,
        admission: @escaping @Sendable () -> Bool, receive: (@Sendable ([UInt8]) -> Void)? = nil
    ) throws(UpstreamError) {
        id = Self.lastID.add(1, ordering: .relaxed).newValue
        method = request.method
        url = try URLText.compose(request, under: base)
        var lines: [String] = []
        for (name, value) in request.headers + request.secretHeaders.map({ ($0.name, $0.value.reveal()) }) {
            lines.append(try Self.headerLine(name, value))
        }
        headerLines = lines
        body = request.body
        file = request.file
        self.limits = limits
        switch request.allowedAddresses {
        case .any:
            bypassesProxies = base.isLoopback
            requiresProxy = false
            allowedAddresses = nil
        case .publicInternet, .publicInternetOr:
            bypassesProxies = base.isLoopback
            let isSecure = base.text.hasPrefix("https://")
            requiresProxy = !bypassesProxies && (isSecure ? Self.hasSecureProxy : Self.hasPlainProxy)
            allowedAddresses = requiresProxy ? nil : request.allowedAddresses
        case .only:
            bypassesProxies = true
            requiresProxy = false
            allowedAddresses = request.allowedAddresses
        }
        self.admission = admission
        self.receive = receive
        secrets =
            request.secretQuery.map(\.value) + request.secretHeaders.map(\.value)
            + [request.secretTarget].compactMap(\.self)
    }

    private static let hasSecureProxy = ProxyEnvironment.hasProxy(isSecure: true, variable)
    private static let hasPlainProxy = ProxyEnvironment.hasProxy(isSecure: false, variable)

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Set before the thread is notified, so that a transfer that has not started yet never starts.
    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    func cancel() { cancelled.store(true, ordering: .releasing) }

    /// `message` for logs: cut off at the first `?` or `#`, without the secrets of this request.
    func redacted(_ message: String) -> String {
        secrets.reduce(withoutQuery(message)) { text, secret in secret.redacted(from: text) }
    }

    private static func headerLine(_ name: String, _ value: String) throws(UpstreamError) -> String {
        let isName = !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: ":") }
        guard isName else { throw .invalidRequest("a header has a malformed name") }
        // A line break in a value would let it add headers.
        guard value.utf8.allSatisfy({ ($0 >= 0x20 && $0 != 0x7f) || $0 == 0x09 }) else {
            throw .invalidRequest("the value of header \(name) contains a control character, such as a line break")
        }
        return value.isEmpty ? "\(name);" : "\(name): \(value)"
    }
}
