import TestSupport
import Testing

@testable import Commands

@Suite("What doctor says of the configuration")
struct ConfigurationCheckTests {
    @Test("a proxy that stands before the gateway and is not named is a warning with what to do")
    func unnamedProxy() async throws {
        let folder = try TemporaryFolder()
        var environment = ["BACKLINE_HTTP_PUBLIC_URL": "https://backline.example.org"]
        let findings = await DoctorCheck.configuration.findings(in: try .sample(folder, environment: environment))
        #expect(findings.worst == .warning && findings.text.contains("http.trustedProxies"))
        environment["BACKLINE_HTTP_TRUSTED_PROXIES"] = "127.0.0.1"
        #expect(
            await DoctorCheck.configuration.findings(in: try .sample(folder, environment: environment)).worst == .ok)
    }
}
