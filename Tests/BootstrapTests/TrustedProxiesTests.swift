import Model
import Testing

@testable import Bootstrap

@Suite("http.trustedProxies")
struct TrustedProxiesTests {
    private func load(_ text: String) throws -> [AddressRange] {
        try BacklineConfiguration.judge(environment: ["BACKLINE_HTTP_TRUSTED_PROXIES": text], file: nil)
            .configuration.http.trustedProxies
    }

    @Test("addresses and networks stand with commas between")
    func list() throws {
        #expect(try load("127.0.0.1").map(\.description) == ["127.0.0.1"])
        #expect(try load(" ::1,10.0.0.0/8 , fd00::/8").map(\.description) == ["::1", "10.0.0.0/8", "fd00::/8"])
    }

    @Test(
        "names and slips are refused", arguments: ["proxy.example.org", "10.0.0.0/33", "127.0.0.1,", "127.0.0.1 ::1"])
    func refused(text: String) throws {
        let error = try #require(throws: ConfigurationError.self) { try load(text) }
        #expect("\(error)".contains("http.trustedProxies"))
    }
}
