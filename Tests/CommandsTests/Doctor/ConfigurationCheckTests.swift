import TestSupport
import Testing

@testable import Commands

@Suite("doctor: configuration")
struct ConfigurationCheckTests {
    @Test("A gateway address that is not a URL is a problem, and is not mistaken for one without a port")
    func wrongAddress() async throws {
        var context = try DoctorContext.sample(TemporaryFolder())
        (context.gateway, context.environment) = (nil, ["BACKLINE_SERVER": "nas:8080"])
        let wrong = await DoctorCheck.gateway.findings(in: context)
        #expect(wrong.worst == .problem && wrong.text.contains("BACKLINE_SERVER is 'nas:8080'"))
        context.environment = [:]
        let unknown = await DoctorCheck.gateway.findings(in: context)
        #expect(unknown.worst == .warning && unknown.text.contains("http.port is 0"))
    }

    @Test("An unlisted proxy in front of the gateway is a warning with its remedy")
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
