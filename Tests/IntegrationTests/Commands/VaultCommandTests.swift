import Contracts
import Foundation
import Model
import Storage
import TestProcesses
import TestSupport
import Testing
import Vault

@Suite("backline vault", .timeLimit(.minutes(20)))
struct VaultCommandTests {
    private static let secrets = 230

    @Test(
        "A rotation that was killed at any step can be completed: every secret opens, and only one key is left",
        .enabled(Comment(rawValue: Tracing.whyNot)) { await Tracing.isPossible() })
    func killedRotation() async throws {
        try await Installation.run { installation in
            _ = try await installation.addUser()
            let files = installation.vaultFiles
            let file = files.keys
            _ = try file.make()
            let strace = try #require(Executable.tool("strace"))
            // Each write takes the lock and commits, and the key file is replaced by rename. The process is killed at
            // the call, before it has any effect.
            var steps: Set<Step> = []
            for call in ["flock", "rename", "fdatasync"] {
                for number in 1... {
                    try await installation.plantSecrets(Self.secrets)
                    let former = try file.read().current
                    let process = try installation.start(
                        "backline", ["vault", "rotate"],
                        through: [
                            strace, "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
                            "inject=\(call):signal=SIGKILL:when=\(number)",
                        ])
                    let end = try await process.waitForEnd()
                    let step = try await installation.step(of: file, former: former)
                    steps.insert(step)
                    if end == .exited(0) {
                        #expect(step == .done && number > 1, "\(call) \(number): \(process.errors.lines)")
                        break
                    }
                    let again = try await installation.backline("vault", "rotate")
                    #expect(again.status == 0 && again.errors == [], "\(call) \(number): \(again)")
                    let after = try await installation.step(of: file, former: former)
                    #expect(after == .done, "\(call) \(number)")
                    #expect(try files.publicKey.read() == file.read().current.publicKey, "\(call) \(number)")
                    #expect(try await installation.openingSecrets() == Self.secrets, "\(call) \(number)")
                }
            }
            #expect(steps == Set(Step.allCases), "not at every step: \(steps)")
        }
    }

    enum Step: CaseIterable {
        case nothing, keyMade, resealing, resealed, done
    }
}

extension Installation {
    private static func name(_ number: Int, of userID: String) -> SecretName {
        SecretName(userID: userID, provider: .gemini, field: "f\(number)")
    }

    /// Seals secrets of the first user.
    func plantSecrets(_ count: Int) async throws {
        let vault = Vault(keyring: try vaultFiles.keys.read())
        try await withDatabase { database in
            try await database.write { transaction in
                let userID: String = try #require(try transaction.row("SELECT id FROM users WHERE name = 'ada'"))["id"]
                for number in 0..<count {
                    let name = Self.name(number, of: userID)
                    try transaction.vault.putSecret(
                        try vault.seal(Secret("planted-\(number)"), as: name), userID: userID,
                        provider: name.provider.rawValue, field: name.field, now: .now())
                }
            }
        }
    }

    /// The number of secrets that open with the keys of the file.
    func openingSecrets() async throws -> Int {
        let vault = Vault(keyring: try vaultFiles.keys.read())
        return try await storedSecrets().count { stored in
            let number = Int(stored.field.dropFirst()) ?? -1
            let name = Self.name(number, of: stored.userID)
            return (try? vault.open(stored.secret, as: name)) == Secret("planted-\(number)")
        }
    }

    /// The state of a rotation.
    fileprivate func step(of file: VaultKeyFile, former: VaultKey) async throws -> VaultCommandTests.Step {
        let keyring = try file.read()
        if keyring.current == former { return .nothing }
        if keyring.former.isEmpty { return .done }
        let keys = Set(try await storedSecrets().map(\.secret.keyID))
        if keys == [keyring.current.id] { return .resealed }
        return keys.contains(keyring.current.id) ? .resealing : .keyMade
    }

    func storedSecrets() async throws -> [StoredSecret] {
        try await withDatabase { database in
            try await database.read { try $0.vault.secrets(notSealedWith: "", after: nil, limit: 10_000) }
        }
    }
}
