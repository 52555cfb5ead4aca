import Foundation
import TestProcesses
import TestSupport
import Testing

@Suite("backline keys", .timeLimit(.minutes(20)))
struct KeyCommandTests {
    private struct Key: Decodable {
        var name: String
        var publicKey: String
        var fingerprint: String
        var secretFile: String
        var gatewayKeyFile: String
    }

    private struct List: Decodable {
        struct Item: Decodable {
            var name: String
            var fingerprint: String
            var createdAt: String
            var revokedAt: String?
        }

        var gateway: Item?
        var items: [Item]
    }

    @Test("Keys are made, listed and revoked; secret keys are in files of mode 0600 and nowhere else")
    func lifeOfKeys() async throws {
        try await Installation.run { installation in
            let empty = try await installation.backline("keys", "list")
            #expect(empty.status == 0 && empty.text.contains("backline keys new --gateway"))
            let lonely = try await installation.backline("keys", "new", "w1")
            #expect(lonely.status == 0 && lonely.errors.joined().contains("backline keys new --gateway"))
            let gateway: Key = try await installation.backline("keys", "new", "--gateway", "--json").decode()
            #expect(gateway.secretFile == "\(installation.folder)/keys/gateway.secret")
            let secretFile = "\(installation.folder)/elsewhere.secret"
            let made = try await installation.backline("keys", "new", "w2", "--secret-file", secretFile, "--json")
            let key: Key = try made.decode()
            #expect(key.secretFile == secretFile && key.gatewayKeyFile == gateway.gatewayKeyFile)
            for path in [gateway.secretFile, secretFile, "\(installation.folder)/keys/w1.secret"] {
                #expect(try FileMode.of(path) == 0o600)
            }
            #expect(try FileMode.of("\(installation.folder)/keys") == 0o700)
            let held = try String(contentsOfFile: secretFile, encoding: .utf8)
            let secret = try #require(held.split(separator: "\n").last?.split(separator: " ").last)
            #expect(secret.count == 40 && !made.text.contains(secret))

            #expect(try await installation.backline("keys", "revoke", "w1").text.hasPrefix("Revoked: w1"))
            let listed = try await installation.backline("keys", "list", "--json")
            let list: List = try listed.decode()
            #expect(list.gateway?.fingerprint == gateway.fingerprint)
            #expect(list.items.map(\.name) == ["w1", "w2"])
            #expect(list.items[0].revokedAt != nil && list.items[1].revokedAt == nil)
            #expect(!listed.text.contains(secret))
            let table = try await installation.backline("keys", "list").text
            #expect(table.contains(key.fingerprint) && !table.contains(secret))
        }
    }

    @Test("A command that fails says why, has an exit status of its own, and changes nothing")
    func refusedCommands() async throws {
        try await Installation.run { installation in
            #expect(try await installation.backline("keys", "new", "--gateway").status == 0)
            #expect(try await installation.backline("keys", "new", "w1").status == 0)
            let before = try String(contentsOfFile: "\(installation.folder)/keys/gateway.pub", encoding: .utf8)
            for (arguments, status) in [
                (["keys", "new"], 64), (["keys", "new", "w2", "--gateway"], 64), (["keys", "new", "../w2"], 64),
                (["keys", "new", "w2", "--force"], 64), (["keys", "new", "w1"], 73),
                (["keys", "new", "--gateway"], 73), (["keys", "new", "w2", "--secret-file", "/nonexistent/w2"], 73),
                (["keys", "revoke", "w2"], 1), (["keys", "revoke"], 64),
            ] as [([String], Int32)] {
                let process = try installation.startBackline(arguments)
                #expect(try await process.waitForEnd() == .exited(status), "\(arguments)")
                #expect(!process.errors.lines.isEmpty)
            }
            #expect(try String(contentsOfFile: "\(installation.folder)/keys/gateway.pub", encoding: .utf8) == before)
            let list: List = try await installation.backline("keys", "list", "--json").decode()
            #expect(list.items.map(\.name) == ["w1"], "a key whose secret could not be written is not allowed")

            #expect(try await installation.backline("keys", "new", "--gateway", "--force").status == 0)
            #expect(try String(contentsOfFile: "\(installation.folder)/keys/gateway.pub", encoding: .utf8) != before)
            try Data("nonsense".utf8).write(to: URL(filePath: "\(installation.folder)/keys/workers/w1.pub"))
            let broken = try await installation.backline("keys", "list")
            #expect(broken.status == 66 && broken.errors.joined().contains("w1.pub"))
        }
    }

    @Test("doctor names keys that others can read, and a network endpoint without keys")
    func findingsOfDoctor() async throws {
        try await Installation.run { installation in
            let network = ["BACKLINE_MESSAGING_ENDPOINT": "tcp://10.0.0.1:5570"]
            let missing = try await installation.backline("doctor", environment: network)
            #expect(missing.text.contains("backline keys new --gateway"))
            #expect(try await installation.backline("keys", "new", "--gateway").status == 0)
            #expect(
                try await installation.backline("doctor", environment: network).text.contains("backline keys new NAME"))
            #expect(try await installation.backline("keys", "new", "w1").status == 0)
            let whole = try await installation.backline("doctor", environment: network)
            #expect(whole.text.contains("allowed at tcp://10.0.0.1:5570: 1."))
            let secret = "\(installation.folder)/keys/w1.secret"
            #expect(chmod(secret, 0o644) == 0)
            #expect(try await installation.backline("doctor").text.contains("chmod 600 '\(secret)'"))
        }
    }
}
