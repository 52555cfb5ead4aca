import HTTPTypes
import HummingbirdTesting
import Testing

@testable import Gateway

@Suite("Security headers")
struct SecurityHeaderTests {
    @Test(
        "With an https public URL, every response has Strict-Transport-Security with the configured age",
        arguments: [
            ("https://b.example", 31_536_000, "max-age=31536000"), ("https://b.example", 0, nil),
            ("http://nas", 31_536_000, nil), (nil, 31_536_000, nil),
        ] as [(String?, Int, String?)])
    func transportSecurity(publicURL: String?, seconds: Int, expected: String?) async throws {
        try await TestGateway.run(publicURL: publicURL, transportSecurity: .seconds(seconds)) { gateway in
            try await gateway.withClient { client in
                // The paths are a success, a refusal, and an unknown one.
                for path in ["/healthz", "/v1/me", "/nowhere"] {
                    let headers = try await client.execute(uri: path, method: .get).headers
                    #expect(headers[.strictTransportSecurity] == expected, "\(path)")
                    #expect(headers[.xContentTypeOptions] == "nosniff", "\(path)")
                }
            }
        }
    }
}
