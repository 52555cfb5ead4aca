import Foundation

/// The rules of an upstream's base URL.
enum BaseURL {
    /// `nil` when the URL is malformed, would send secrets in the clear, or carries more than a base.
    static func normalised(_ text: String) -> String? {
        guard let url = URLComponents(string: text, encodingInvalidCharacters: false),
            let scheme = url.scheme?.lowercased(), let host = url.host, !host.isEmpty,
            url.user == nil, url.password == nil, url.query == nil, url.fragment == nil,
            url.port.map({ (1...65_535).contains($0) }) ?? true
        else { return nil }
        let bareHost = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        guard NetworkAddress.isHost(bareHost),
            scheme == "https" || (scheme == "http" && NetworkAddress.isLoopback(bareHost))
        else { return nil }
        return String(text.reversed().drop { $0 == "/" }.reversed())
    }

    /// A refused URL may carry a password or a key: shows neither user nor query.
    static func redacted(_ text: String) -> String {
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
