import Synchronization

/// Scheme, host and port at which browsers reach this gateway. OAuth redirect addresses begin with them.
package final class SiteAddress: Sendable {
    private let publicURL: String?
    private let port = Mutex<Int?>(nil)

    /// - Parameter publicURL: `http.publicURL`; `nil` for the port it listens on.
    init(publicURL: String?) {
        self.publicURL = publicURL
    }

    func listens(onPort port: Int) {
        self.port.withLock { $0 = port }
    }

    /// `nil` without a configured URL until the gateway listens.
    package var url: String? {
        // The literal address, since OAuth providers refuse the name localhost.
        publicURL ?? port.withLock { $0 }.map { "http://127.0.0.1:\($0)" }
    }
}

/// The paths that a sign-in or a setup may return to.
package enum SitePath {
    /// Whether a browser resolves the text to exactly this path of this site, with or without a query. Other text would
    /// allow an open redirect.
    ///
    /// Dot segments are refused: a browser resolves `/.//host/` to `//host/`, which in a link or a script is the
    /// address of another site. It reads `%2e` as a dot there ("URL Standard", section 4.1).
    package static func isPath(_ text: String) -> Bool {
        let isPlain = text.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\\") }
        guard isPlain, text.hasPrefix("/"), !text.hasPrefix("//"), !text.contains("#") else { return false }
        let segments = text.prefix { $0 != "?" }.split(separator: "/")
        return !segments.contains { [".", ".."].contains($0.lowercased().replacing("%2e", with: ".")) }
    }
}
