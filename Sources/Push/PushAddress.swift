import Model
import Platform

/// The address of a server that somebody else has named: scheme, host, port, and the rest.
///
/// Browsers give addresses in their serialized form, so nothing is normalized but the case of the host.
struct PushAddress: Sendable, Hashable {
    let isSecure: Bool
    /// In lower case; an IPv6 address has no brackets.
    let host: String
    /// `nil` for the scheme's own port.
    let port: Int?
    /// The path with its query: empty, or begins with `/`. Percent-encoded.
    let target: String

    /// - Parameter longest: the most bytes.
    /// - Throws: ``PushAddressError``.
    init(_ text: String, longest: Int) throws(PushAddressError) {
        guard text.utf8.count <= longest else { throw .tooLong(longest) }
        guard text.utf8.allSatisfy({ $0.isAllowedInURLPaths || "?#[]".utf8.contains($0) }) else { throw .characters }
        guard let scheme = ["https://", "http://"].first(where: { text.hasPrefix($0) }) else { throw .scheme }
        isSecure = scheme == "https://"
        guard !text.contains("#") else { throw .fragment }
        let rest = text.dropFirst(scheme.count)
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let authority = rest[..<end]
        guard !authority.contains("@") else { throw .credentials }
        (host, port) = try Self.parts(ofAuthority: authority, standardPort: isSecure ? 443 : 80)
        guard !rest[end...].contains(where: { $0 == "[" || $0 == "]" }) else { throw .characters }
        target = rest[end...].hasPrefix("?") ? "/" + rest[end...] : String(rest[end...])
    }

    private static func parts(
        ofAuthority authority: Substring, standardPort: Int
    ) throws(PushAddressError) -> (host: String, port: Int?) {
        let isBracketed = authority.hasPrefix("[")
        let hostEnd: Substring.Index
        if isBracketed {
            guard let bracket = authority.firstIndex(of: "]") else { throw .host }
            hostEnd = authority.index(after: bracket)
        } else {
            hostEnd = authority.firstIndex(of: ":") ?? authority.endIndex
        }
        let name = authority[..<hostEnd].lowercased()
        let host = isBracketed ? String(name.dropFirst().dropLast()) : name
        guard isBracketed ? NetworkHost.canonical(ipv6: host) != nil : NetworkHost.isHost(host) else { throw .host }
        guard hostEnd < authority.endIndex else { return (host, nil) }
        let digits = authority[hostEnd...].dropFirst()
        guard authority[hostEnd] == ":", let port = Int(decimal: digits, in: 1...65_535) else { throw .port }
        return (host, port == standardPort ? nil : port)
    }

    /// Scheme, host and port (RFC 6454, section 6.2), without the scheme's own port.
    var origin: String { (isSecure ? "https://" : "http://") + bracketedHost + (port.map { ":\($0)" } ?? "") }

    /// Host and port, without the port of https. Different servers have different ones.
    var server: String { bracketedHost + ((port ?? (isSecure ? nil : 80)).map { ":\($0)" } ?? "") }

    private var bracketedHost: String { host.contains(":") ? "[\(host)]" : host }
}

/// What is wrong with the address of a server. The text completes a sentence that begins with the name of the address.
enum PushAddressError: Error, Hashable, CustomStringConvertible {
    case tooLong(Int)
    case characters
    case scheme
    case credentials
    case fragment
    case host
    case port

    var description: String {
        switch self {
        case .tooLong(let most): "is longer than \(most) bytes"
        case .characters: "has characters that an address may have only percent-encoded, such as a blank"
        case .scheme: "does not begin with https://"
        case .credentials: "has a user name or a password before its host, which must be left out"
        case .fragment: "has a fragment (#…), which must be left out"
        case .host: "names no valid host after https://"
        case .port: "has a port that is not a number from 1 to 65535"
        }
    }
}
