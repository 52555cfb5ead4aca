import Bootstrap
import TestSupport
import Testing

@testable import Commands

@Suite("doctor: messaging")
struct MessagingCheckTests {
    private func findings(_ endpoint: String?, curve: String = "network") async throws -> [Finding] {
        var environment = ["BACKLINE_MESSAGING_CURVE": curve]
        environment["BACKLINE_MESSAGING_ENDPOINT"] = endpoint
        return await DoctorCheck.messaging.findings(in: try .sample(TemporaryFolder(), environment: environment))
    }

    @Test("A socket in a private folder needs no keys", arguments: [nil, "ipc:///run/backline/gateway.ipc"])
    func privateSocketNeedsNoKeys(endpoint: String?) async throws {
        for curve in ["network", "always"] {
            #expect(try await findings(endpoint, curve: curve).worst == .ok)
        }
    }

    @Test(
        "A loopback port without keys is a warning that says who can connect, and what to do",
        arguments: ["tcp://127.0.0.1:5570", "tcp://127.8.9.10:5570", "tcp://[::1]:5570"])
    func loopbackPortWithoutKeys(endpoint: String) async throws {
        let open = try await findings(endpoint)
        #expect(open.worst == .warning)
        for text in [
            endpoint, "Every account of this machine", "Remove messaging.endpoint", "messaging.curve to always",
        ] {
            #expect(open.text.contains(text), "\(open.text)")
        }
    }

    @Test(
        "Missing keys are a problem if they are needed, and the finding names the command that creates them",
        arguments: [("tcp://127.0.0.1:5570", "always"), ("tcp://10.0.0.1:5570", "network")])
    func missingKeys(endpoint: String, curve: String) async throws {
        let missing = try await findings(endpoint, curve: curve)
        #expect(missing.worst == .problem && missing.text.contains("backline keys new --gateway"), "\(missing.text)")
    }
}
