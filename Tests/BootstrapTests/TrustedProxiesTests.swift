import Composition
import Model
import Platform
import Settings
import Testing

@testable import Bootstrap

@Suite("http.trustedProxies")
struct TrustedProxiesTests {
    private func load(_ text: String) throws -> [AddressRange] {
        try BacklineConfiguration.check(sections: .all, environment: ["BACKLINE_HTTP_TRUSTED_PROXIES": text], file: nil)
            .configuration.http.trustedProxies
    }

    @Test("Addresses and networks are separated by commas")
    func listOfAddresses() throws {
        #expect(try load("127.0.0.1").map(\.description) == ["127.0.0.1"])
        #expect(try load(" ::1,10.0.0.0/8 , fd00::/8").map(\.description) == ["::1", "10.0.0.0/8", "fd00::/8"])
    }

    @Test(
        "An unlisted proxy in front of the gateway causes a warning",
        arguments: [
            ("https://b.example", "127.0.0.1", "", true), ("https://b.example", "::1", "", true),
            ("http://nas", "localhost", "", true), ("https://b.example", "127.0.0.1", "127.0.0.1", false),
            ("", "127.0.0.1", "", false),
            // A gateway on all interfaces may have clients without a proxy, and a proxy on another machine.
            ("https://b.example", "0.0.0.0", "", false),
            // The gateway's own loopback address, which needs no proxy.
            ("http://127.0.0.1:8080", "127.0.0.1", "", false), ("http://[::1]:8080", "::1", "", false),
            ("http://localhost:8080", "localhost", "", false),
        ])
    func warningAboutUnlistedProxy(publicURL: String, host: String, proxies: String, warns: Bool) throws {
        var environment = ["BACKLINE_HTTP_HOST": host]
        if !publicURL.isEmpty { environment["BACKLINE_HTTP_PUBLIC_URL"] = publicURL }
        if !proxies.isEmpty { environment["BACKLINE_HTTP_TRUSTED_PROXIES"] = proxies }
        let loaded = try BacklineConfiguration.check(sections: .all, environment: environment, file: nil)
        #expect((loaded.configuration.http.proxyWarning != nil) == warns)
        #expect(loaded.configuration.http.metricsAccess == (warns ? .token : .local))
        environment["BACKLINE_HTTP_METRICS"] = "open"
        let open = try BacklineConfiguration.check(sections: .all, environment: environment, file: nil)
        #expect(open.configuration.http.metricsAccess == .open)
        // Only the gateway and doctor report it, not every process that loads the configuration.
        #expect(loaded.warnings.isEmpty)
    }

    @Test(
        "Host names and malformed entries are refused",
        arguments: ["proxy.example.org", "10.0.0.0/33", "127.0.0.1,", "127.0.0.1 ::1"])
    func refusedEntries(text: String) throws {
        let error = try #require(throws: ConfigurationError.self) { try load(text) }
        #expect("\(error)".contains("http.trustedProxies"))
    }
}
