import Platform

/// The hosts from which pictures are fetched, or previews played, by provider.
package struct MediaHosts: Sendable, Hashable {
    /// The names of a provider's hosts. `.example.com` stands for all hosts below `example.com`.
    private let names: [Provider: [String]]
    /// The addresses at which simulated providers serve media, on this machine without TLS.
    private let standIns: [Provider: MediaAddress]

    /// - Parameters:
    ///   - names: the names of hosts, such as `s1.ticketm.net` and `.mzstatic.com`.
    ///   - baseURLs: the base URLs of the upstreams. One that is a loopback address without TLS belongs to a simulated
    ///     provider, which serves media at the same address.
    package init(_ names: [Provider: [String]], baseURLs: [Provider: String] = [:]) {
        self.names = names.mapValues { $0.map { $0.lowercased() } }
        standIns = baseURLs.compactMapValues { MediaAddress($0 + "/") }
            .filter { !$0.value.isSecure && NetworkHost.isLoopback($0.value.host) }
    }

    /// The provider whose host has an address; `nil` for an address that must not be fetched.
    package func provider(of address: String) -> Provider? {
        guard let address = MediaAddress(address) else { return nil }
        return Provider.known.first { provider in
            if !address.isSecure { return standIns[provider]?.origin == address.origin }
            return address.port == nil && names[provider]?.contains { Self.matches(address.host, $0) } == true
        }
    }

    /// All hosts as sources of a Content-Security-Policy (w3.org/TR/CSP3, section 2.3.1).
    package var policySources: [String] {
        let listed = names.values.joined().map { "https://" + ($0.hasPrefix(".") ? "*" : "") + $0 }
        return Set(listed + standIns.values.map(\.origin)).sorted()
    }

    /// Whether a text names hosts: a host's name, or a dot and the name of a domain.
    package static func isName(_ text: String) -> Bool {
        let name = text.hasPrefix(".") ? String(text.dropFirst()) : text
        return NetworkHost.isName(name) && name.contains(".")
    }

    private static func matches(_ host: String, _ name: String) -> Bool {
        name.hasPrefix(".") ? host.hasSuffix(name) : host == name
    }
}
