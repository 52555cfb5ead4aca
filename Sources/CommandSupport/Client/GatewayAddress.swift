import Foundation
import Model
import Platform

/// The gateway's http or https URL, to which the API's paths are appended.
package struct GatewayAddress: Equatable, CustomStringConvertible {
    package static let allowed =
        "allowed: a URL such as http://127.0.0.1:8080, with http or https and without user, query or fragment"

    /// The URL without a trailing slash.
    package let description: String

    package init?(_ text: String) {
        guard let url = URLComponents(string: text), let scheme = url.scheme?.lowercased(),
            scheme == "http" || scheme == "https", let host = url.host, !host.isEmpty, url.user == nil,
            url.password == nil, url.query == nil, url.fragment == nil, (1...65_535).contains(url.port ?? 80)
        else { return nil }
        var address = text
        while address.hasSuffix("/") { address.removeLast() }
        description = address
    }

    /// Whether no other machine can read what is sent there: https, or a loopback address.
    var isPrivate: Bool {
        guard let url = URLComponents(string: description), let host = url.host else { return false }
        if url.scheme?.lowercased() == "https" { return true }
        return NetworkHost.isLoopback(host.trimmingCharacters(in: CharacterSet(charactersIn: "[]")))
    }

    /// - Parameter host: the address that the gateway listens on. For all interfaces, the loopback address is used.
    package init(host: String, port: Int) {
        let reachable =
            switch host {
            case "0.0.0.0": "127.0.0.1"
            case "::": "::1"
            default: host
            }
        description = "http://\(reachable.contains(":") ? "[\(reachable)]" : reachable):\(port)"
    }
}
