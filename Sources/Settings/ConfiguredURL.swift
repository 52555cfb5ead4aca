import Foundation
import Model
import Platform

/// The rules of configured URLs.
package enum ConfiguredURL {
    /// The URL without a trailing slash; `nil` when it is malformed, sends secrets over plain http to another host, or
    /// has a user, query or fragment.
    ///
    /// - Parameter allowsPrivateNetwork: whether plain http to addresses of a private network is allowed.
    package static func normalized(_ text: String, allowsPrivateNetwork: Bool = false) -> String? {
        guard let url = URLComponents(string: text, encodingInvalidCharacters: false),
            let scheme = url.scheme?.lowercased(), let host = url.host, !host.isEmpty,
            url.user == nil, url.password == nil, url.query == nil, url.fragment == nil,
            url.port.map({ (1...65_535).contains($0) }) ?? true
        else { return nil }
        let bareHost = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        guard NetworkHost.isHost(bareHost),
            scheme == "https" || (scheme == "http" && NetworkHost.isLoopback(bareHost))
                || (scheme == "http" && allowsPrivateNetwork && NetworkHost.isPrivate(bareHost))
        else { return nil }
        return String(text.reversed().drop { $0 == "/" }.reversed())
    }

    /// Scheme, host and port as browsers write them: lower-case and without the scheme's default port; `nil` when the
    /// URL is malformed or has more than these.
    package static func origin(_ text: String) -> String? {
        guard let url = URLComponents(string: text, encodingInvalidCharacters: false),
            let scheme = url.scheme?.lowercased(), let host = url.host?.lowercased(),
            NetworkHost.isHost(host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))),
            url.user == nil, url.password == nil, url.query == nil, url.fragment == nil, ["", "/"].contains(url.path),
            let standardPort = ["http": 80, "https": 443][scheme],
            url.port.map({ (1...65_535).contains($0) }) ?? true
        else { return nil }
        let port = url.port.flatMap { $0 == standardPort ? nil : ":\($0)" } ?? ""
        return "\(scheme)://\(host)\(port)"
    }

    /// Whether OAuth providers accept redirect addresses at an ``origin(_:)``. The rules are Spotify's, the strictest
    /// (https://developer.spotify.com/documentation/web-api/concepts/redirect_uri).
    package static func isRedirectTarget(_ origin: String) -> Bool {
        guard let url = URLComponents(string: origin), let host = url.host else { return false }
        return url.scheme == "https" ? host != "localhost" : ["127.0.0.1", "[::1]", "::1"].contains(host)
    }

    /// The URL without user, password and query, which may contain secrets.
    package static func redacted(_ text: String) -> String {
        var shown = Substring(text)
        var tail = ""
        if let question = shown.firstIndex(of: "?") {
            shown = shown[..<question]
            tail = "?•••"
        }
        if let at = shown.lastIndex(of: "@") {
            let start = shown.range(of: "//")?.upperBound ?? shown.startIndex
            shown = shown[..<min(start, at)] + "•••" + shown[at...]
        }
        return shown + tail
    }
}
