import Foundation
import Messaging
import Settings
import TestSupport
import Testing

@testable import Bootstrap

@Suite("Messaging keys")
struct MessagingSecurityTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func messaging(_ variables: [String: String]) throws -> BacklineConfiguration.Messaging {
        let environment = ["BACKLINE_DATABASE_PATH": folder.file("b.sqlite")].merging(variables) { $1 }
        return try load(environment: environment).configuration.messaging
    }

    private func problem(_ body: () throws -> MessagingSecurity) -> String {
        let error = #expect(throws: ConfigurationError.self) { _ = try body() }
        return error?.problems.map(\.text).joined(separator: "\n") ?? ""
    }

    @Test(
        "CURVE is used on networks, on loopback addresses if configured, and never on ipc sockets",
        arguments: [
            ("ipc:///run/a", "always", false), ("tcp://127.0.0.1:1", "network", false),
            ("tcp://127.0.0.1:1", "always", true), ("tcp://[::1]:1", "network", false),
            ("tcp://0.0.0.0:1", "network", true), ("tcp://gateway:1", "network", true),
        ])
    func endpointsThatUseCURVE(endpoint: String, curve: String, uses: Bool) throws {
        let messaging = try messaging(
            ["BACKLINE_MESSAGING_ENDPOINT": endpoint, "BACKLINE_MESSAGING_CURVE": curve])
        #expect(messaging.usesCurve == uses)
        if !uses {
            guard case .none = try messaging.gatewaySecurity(onProblem: { _ in }),
                case .none = try messaging.workerSecurity()
            else { return #expect(Bool(false), "keys although none are needed") }
        }
    }

    @Test("On a network, both ends need keys, and the errors name the command that creates them")
    func missingKeysNameTheCommand() throws {
        let messaging = try messaging(["BACKLINE_MESSAGING_ENDPOINT": "tcp://10.0.0.1:5570"])
        #expect(messaging.keyFolder == folder.file("keys"))
        let gateway = problem { try messaging.gatewaySecurity { _ in } }
        #expect(gateway.contains("tcp://10.0.0.1:5570") && gateway.contains("backline keys new --gateway"))
        #expect(gateway.contains(folder.file("keys/gateway.secret")))
        let worker = problem { try messaging.workerSecurity() }
        #expect(worker.contains("backline keys new NAME") && worker.contains("messaging.keyFile"))
    }

    @Test("Both ends find their keys beside the database or at the configured path")
    func keysBesideTheDatabase() throws {
        let keys = KeyFolder(folder.file("keys"))
        let secret = folder.file("worker.secret")
        let worker = try keys.makeWorkerPair(name: "w1", secretPath: secret)
        let variables = ["BACKLINE_MESSAGING_ENDPOINT": "tcp://10.0.0.1:5570", "BACKLINE_MESSAGING_KEY_FILE": secret]
        let withoutGateway = problem { try messaging(variables).workerSecurity() }
        #expect(withoutGateway.contains("gateway.pub") && withoutGateway.contains("messaging.gatewayKeyFile"))

        let gateway = try keys.makeGatewayPair(replaces: false)
        guard case .gateway(let pair, let gate) = try messaging(variables).gatewaySecurity(onProblem: { _ in }),
            case .worker(let own, let gatewayKey) = try messaging(variables).workerSecurity()
        else { return #expect(Bool(false), "no keys") }
        #expect(pair == gateway.pair && gatewayKey == gateway.publicKey && own == worker.pair)
        #expect(gate.register.status(of: worker.publicKey) == .allowed(name: "w1"))

        let elsewhere = folder.file("elsewhere.pub")
        try FileManager.default.moveItem(atPath: keys.gatewayPublicPath, toPath: elsewhere)
        let moved = variables.merging(["BACKLINE_MESSAGING_GATEWAY_KEY_FILE": elsewhere]) { $1 }
        guard case .worker = try messaging(moved).workerSecurity() else { return #expect(Bool(false), "no keys") }

        #expect(chmod(secret, 0o644) == 0)
        let open = problem { try messaging(moved).workerSecurity() }
        #expect(open.contains("chmod 600 '\(secret)'"))
        #expect(!open.contains(worker.pair?.secretKey.reveal() ?? "?"))
    }
}
