import Synchronization

/// Where browsers find this gateway: scheme, host and port, which redirect addresses are built on.
package final class SiteAddress: Sendable {
    private let publicURL: String?
    private let port = Mutex<Int?>(nil)

    /// - Parameter publicURL: `http.publicURL`; `nil` where it listens.
    init(publicURL: String?) {
        self.publicURL = publicURL
    }

    func listens(onPort port: Int) {
        self.port.withLock { $0 = port }
    }

    /// `nil` before it listens anywhere, unless it is configured.
    var url: String? {
        // The literal, since providers refuse the name localhost.
        publicURL ?? port.withLock { $0 }.map { "http://127.0.0.1:\($0)" }
    }
}
