import HTTPTypes
import Hummingbird
import Model
import Platform
import Telemetry
import Testing

@testable import Gateway

@Suite("Who may read the metrics")
struct MetricsAccessTests {
    private static let forwarded = HTTPField.Name("X-Forwarded-For")!

    @Test(
        "By default programs on the same machine and administrators; otherwise administrators, or everybody",
        arguments: MetricsAccess.allCases)
    func whoReadsMetrics(_ access: MetricsAccess) async throws {
        try await TestGateway.run(
            trustedProxies: ["127.0.0.9"].compactMap(AddressRange.init), metricsAccess: access
        ) { gateway in
            let responder = gateway.application.routes().buildResponder()
            let plain = try await gateway.authorization("ada")
            let admin = try await gateway.authorization("root", isAdmin: true)
            let withoutToken = access == .open ? 200 : 401
            let local = access == .token ? 401 : 200
            for (address, headers, status) in [
                ("127.0.0.1", [:], local), ("127.4.5.6", [:], local), ("::1", [:], local),
                ("::ffff:127.0.0.1", [:], local), (nil, [:], local),
                ("192.0.2.1", [:], withoutToken), ("::ffff:192.0.2.1", [:], withoutToken),
                // A proxy on the same machine.
                ("127.0.0.1", [Self.forwarded: "192.0.2.1"], withoutToken),
                ("127.0.0.1", [Self.forwarded: "127.0.0.1"], withoutToken),
                ("127.0.0.1", [.forwarded: "for=127.0.0.1"], withoutToken),
                // A proxy that the configuration names.
                ("127.0.0.9", [:], local), ("127.0.0.9", [Self.forwarded: "192.0.2.1"], withoutToken),
                ("127.0.0.9", [Self.forwarded: "127.0.0.1"], withoutToken),
                ("127.0.0.9", [.forwarded: "for=192.0.2.1"], withoutToken),
                ("127.0.0.9", [.forwarded: "for=192.0.2.1", Self.forwarded: "127.0.0.1"], withoutToken),
                ("192.0.2.1", [.authorization: "Bearer wrong"], withoutToken),
                ("192.0.2.1", plain, access == .open ? 200 : 403), ("192.0.2.1", admin, 200), ("127.0.0.1", admin, 200),
            ] as [(String?, HTTPFields, Int)] {
                let response = try await responder.respond(
                    to: Request(.get, "/metrics", headers: headers), context: .from(address))
                #expect(response.status.code == status, "\(address ?? "a local socket") \(headers)")
            }
        }
    }
}
