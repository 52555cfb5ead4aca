import Contracts
import Foundation
import Model
import Storage
import TestProcesses
import TestSupport
import Testing
import Vault

@Suite("backline vault", .timeLimit(.minutes(5)))
struct VaultCommandTests {
    private static let secrets = 230

    @Test(
        "killed at whatever step, and run again, rotate completes: every secret opens, and one key is left",
        .enabled(Comment(rawValue: Tracing.whyNot)) { await Tracing.isPossible() })
    func killed() async throws {
        try await Installation.run { installation in
            _ = try await installation.addUser()
            let file = try await installation.plantSecrets(Self.secrets)
            let strace = try #require(Executable.tool("strace"))
            // Each write takes the lock and commits; the file is put in its place by rename. What is struck is the call
            // itself, before it has done anything.
            var steps: Set<Step> = []
            for call in ["flock", "rename", "fdatasync"] {
                for number in 1... {
                    let former = try file.read().current.id
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
                    #expect(try await installation.opening(with: file) == Self.secrets, "\(call) \(number)")
                }
            }
            #expect(steps == Set(Step.allCases), "not at every step: \(steps)")
        }
    }

    enum Step: CaseIterable {
        case nothing, keyMade, sealingAnew, sealedAnew, done
    }
}

extension Installation {
    private var vaultKeyFile: VaultKeyFile { VaultKeyFile(path: folder + "/vault.key") }

    private static func name(_ number: Int, of userID: String) -> SecretName {
        SecretName(userID: userID, provider: .gemini, field: "f\(number)")
    }

    /// Seals so many secrets of the first user.
    fileprivate func plantSecrets(_ count: Int) async throws -> VaultKeyFile {
        let file = vaultKeyFile
        _ = try file.make()
        let vault = CurrentVault(keyFile: file)
        try await withDatabase { database in
            try await database.write { transaction in
                let userID: String = try #require(try transaction.row("SELECT id FROM users WHERE name = 'ada'"))["id"]
                for number in 0..<count {
                    let name = Self.name(number, of: userID)
                    try transaction.vault.putSecret(
                        try vault.seal(Secret("planted-\(number)"), as: name, in: transaction), userID: userID,
                        provider: name.provider.rawValue, field: name.field, now: .now())
                }
            }
        }
        return file
    }

    /// How many of them open with the keys of the file.
    fileprivate func opening(with file: VaultKeyFile) async throws -> Int {
        let vault = Vault(keyring: try file.read())
        return try await storedSecrets().count { stored in
            let number = Int(stored.field.dropFirst()) ?? -1
            let name = Self.name(number, of: stored.userID)
            return (try? vault.open(stored.secret, as: name)) == Secret("planted-\(number)")
        }
    }

    /// How far a rotation came.
    fileprivate func step(of file: VaultKeyFile, former: String) async throws -> VaultCommandTests.Step {
        let keyring = try file.read()
        if keyring.current.id == former { return .nothing }
        if keyring.former.isEmpty { return .done }
        let keys = Set(try await storedSecrets().map(\.secret.keyID))
        return keys.count > 1 ? .sealingAnew : keys == [former] ? .keyMade : .sealedAnew
    }

    private func storedSecrets() async throws -> [StoredSecret] {
        try await withDatabase { database in
            try await database.read { try $0.vault.secrets(notSealedWith: "", after: nil, limit: 10_000) }
        }
    }
}
