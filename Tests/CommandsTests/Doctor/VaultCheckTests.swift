import Contracts
import Foundation
import Model
import Storage
import TestSupport
import Testing
import Vault

@testable import Commands

@Suite("What doctor says of the vault")
struct VaultCheckTests {
    private static let secret = "AIza-planted-secret-0042"

    /// A folder with a database in which Ada and Bob have a secret each, and what doctor says of it.
    private struct Bench {
        let database: Database
        let folder: TemporaryFolder
        let file: VaultKeyFile

        func look() async throws -> [Finding] {
            let findings = await DoctorCheck.vault.findings(in: try .sample(folder))
            #expect(!findings.text.contains(VaultCheckTests.secret))
            #expect(findings.allSatisfy { $0.check == "vault" })
            return findings
        }
    }

    private func withSecrets(_ body: (Bench) async throws -> Void) async throws {
        try await withDatabase { database, folder in
            let file = VaultKeyFile(path: folder.file("vault.key"))
            let vault = CurrentVault(keyFile: file)
            let bench = Bench(database: database, folder: folder, file: file)
            #expect(try await bench.look().map(\.severity) == [.ok], "a new installation")
            _ = try file.make()
            try await database.write { transaction in
                for name in ["ada", "bob"] {
                    try transaction.insertPerson(id: name, name: name)
                    let sealed = try vault.seal(
                        Secret(Self.secret), as: SecretName(userID: name, provider: .gemini, field: "apiKey"),
                        in: transaction)
                    try transaction.vault.putSecret(
                        sealed, userID: name, provider: "gemini", field: "apiKey", now: .now())
                }
            }
            try await body(bench)
        }
    }

    @Test("a key that opens every secret is well, and named by its id alone")
    func well() async throws {
        try await withSecrets { bench in
            let findings = try await bench.look()
            let key = try bench.file.read().current
            #expect(findings.map(\.message) == ["The vault's key \(key.id) opens all 2 secrets."])
            #expect(findings.worst == .ok && !findings.text.contains(key.bytes.hexadecimal))
        }
    }

    @Test("a file that is missing is a problem that says to put it back, unless nothing needs it")
    func missing() async throws {
        try await withSecrets { bench in
            try FileManager.default.removeItem(atPath: bench.file.path)
            let findings = try await bench.look()
            #expect(findings.count == 1 && findings.worst == .problem)
            #expect(findings.text.contains("\(bench.file.path) is missing") && findings.text.contains("Put it back"))
            #expect(findings.text.contains("backline vault new"))
            #expect(findings[0].advice == "Until then nobody's keys and connections can be used or saved.")
            try await bench.database.write { _ = try $0.execute("DELETE FROM secrets") }
            #expect(try await bench.look().worst == .ok)
        }
    }

    @Test("a key that did not seal what there is is a problem that says how much does not open")
    func wrong() async throws {
        try await withSecrets { bench in
            let right = try bench.file.read().current
            let other = VaultKey.random()
            try bench.file.replace(with: VaultKeyring(current: other))
            let findings = try await bench.look()
            #expect(findings.map(\.message) == ["2 of 2 sealed values open with no key of \(bench.file.path)."])
            #expect(findings.worst == .problem && findings.text.contains("on a line of its own"))
            #expect(findings.text.contains("enter their keys again"))
            // As it says.
            try bench.file.replace(with: VaultKeyring(current: other, former: [right]))
            #expect(try await bench.look().worst == .warning)
        }
    }

    @Test(
        "a file that others can read is a problem with its mode and the command that mends it",
        arguments: [0o640, 0o604])
    func open(mode: Int) async throws {
        try await withSecrets { bench in
            #expect(chmod(bench.file.path, mode_t(mode)) == 0)
            let findings = try await bench.look()
            #expect(findings.count == 1 && findings.worst == .problem)
            #expect(findings.text.contains("mode 0\(String(mode, radix: 8))"))
            #expect(findings.text.contains("chmod 600 '\(bench.file.path)'") && findings.text.contains("vault rotate"))
        }
    }

    @Test("a rotation that was interrupted, and a former key that nothing needs, are warnings")
    func former() async throws {
        try await withSecrets { bench in
            let rotation = VaultRotation(keyFile: bench.file, database: bench.database)
            let keyring = try await rotation.begin()
            var findings = try await bench.look()
            #expect(findings.map(\.message) == ["A rotation of the vault's key has not come to its end."])
            #expect(findings.worst == .warning && findings.first?.advice == "backline vault rotate")
            _ = try await rotation.run()
            #expect(try await bench.look().worst == .ok)
            try bench.file.replace(with: keyring)
            findings = try await bench.look()
            #expect(findings.count == 1 && findings.worst == .warning)
            let former = try #require(keyring.former.first)
            #expect(findings.text.contains("former keys that nothing needs: \(former.id)"))
            #expect(findings.first?.advice == "backline vault rotate")
        }
    }

    @Test("secrets that were changed or moved are a problem that names whose they are")
    func damaged() async throws {
        try await withSecrets { bench in
            try await bench.database.write { transaction in
                // Her own, as something else.
                try transaction.execute("UPDATE secrets SET field = 'refreshToken' WHERE user_id = 'ada'")
            }
            var findings = try await bench.look()
            #expect(findings.count == 1 && findings.worst == .problem)
            #expect(findings.text.contains("They are of ada.") && findings.text.contains("enter their keys"))
            try await bench.database.write { _ = try $0.execute("UPDATE secrets SET sealed = \([UInt8(1), 2, 3])") }
            findings = try await bench.look()
            #expect(findings.text.contains("They are of ada and bob."))
        }
    }
}
