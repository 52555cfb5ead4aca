import Contracts
import Foundation
import Model
import Platform
import Storage
import TestSupport
import Testing
import Vault

@testable import Commands

@Suite("doctor: vault")
struct VaultCheckTests {
    private static let secret = "AIza-planted-secret-0042"

    /// A folder with a database in which Ada and Bob have a secret each, and doctor's findings.
    private struct Fixture {
        let database: Database
        let folder: TemporaryFolder
        let files: VaultFiles

        var file: VaultKeyFile { files.keys }

        func look() async throws -> [Finding] {
            let findings = await DoctorCheck.vault.findings(in: try .sample(folder))
            #expect(!findings.text.contains(VaultCheckTests.secret))
            #expect(findings.allSatisfy { $0.check == "vault" })
            return findings
        }
    }

    private func withSecrets(_ body: (Fixture) async throws -> Void) async throws {
        try await withDatabase { database, folder in
            let files = VaultFiles(
                keys: VaultKeyFile(path: folder.file("vault/vault.key")),
                publicKey: VaultPublicKeyFile(path: folder.file("vault.pub")))
            let vault = CurrentVault(keyFile: files.keys)
            let fixture = Fixture(database: database, folder: folder, files: files)
            #expect(try await fixture.look().map(\.severity) == [.ok], "a new installation")
            _ = try await files.prepare(database)
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
            try await body(fixture)
        }
    }

    @Test("A key that opens every secret is fine, and is identified only by its id")
    func matchingKey() async throws {
        try await withSecrets { fixture in
            let findings = try await fixture.look()
            let key = try fixture.file.read().current
            #expect(findings.map(\.message) == ["The vault's key \(key.id) opens all 2 secrets."])
            #expect(findings.worst == .ok && !findings.text.contains(key.bytes.hexadecimal))
        }
    }

    @Test("A missing key file is a problem with its remedy, unless there are no secrets")
    func missingKeyFile() async throws {
        try await withSecrets { fixture in
            try FileManager.default.removeItem(atPath: fixture.file.path)
            let findings = try await fixture.look()
            #expect(findings.count == 1 && findings.worst == .problem)
            #expect(findings.text.contains("\(fixture.file.path) is missing") && findings.text.contains("Restore it"))
            #expect(findings.text.contains("backline vault new"))
            #expect(findings[0].advice == "Until then, no stored secret can be used, and none can be saved.")
            try await fixture.database.write { try $0.run("DELETE FROM secrets") }
            #expect(try await fixture.look().worst == .ok)
        }
    }

    @Test("A wrong key is a problem with the number of secrets that it does not open")
    func wrongKey() async throws {
        try await withSecrets { fixture in
            let right = try fixture.file.read().current
            let other = VaultKey.random()
            try fixture.file.replace(with: VaultKeyring(current: other))
            try fixture.files.publish(other)
            let findings = try await fixture.look()
            #expect(findings.map(\.message) == ["No key of \(fixture.file.path) opens 2 of 2 sealed values."])
            #expect(findings.worst == .problem && findings.text.contains("on its own line"))
            #expect(findings.text.contains("enter their keys again"))
            // The advice of the finding.
            try fixture.file.replace(with: VaultKeyring(current: other, former: [right]))
            #expect(try await fixture.look().worst == .warning)
        }
    }

    @Test(
        "A file that others can read is a problem with its mode and the remedy",
        arguments: [0o640, 0o604])
    func keyFileThatOthersRead(mode: Int) async throws {
        try await withSecrets { fixture in
            #expect(chmod(fixture.file.path, mode_t(mode)) == 0)
            let findings = try await fixture.look()
            #expect(findings.count == 1 && findings.worst == .problem)
            #expect(findings.text.contains("mode 0\(String(mode, radix: 8))"))
            #expect(
                findings.text.contains("chmod 600 '\(fixture.file.path)'") && findings.text.contains("vault rotate"))
        }
    }

    @Test("A missing or foreign public key is reported with the remedy")
    func publicKey() async throws {
        try await withSecrets { fixture in
            let path = fixture.files.publicKey.path
            try FileManager.default.removeItem(atPath: path)
            var findings = try await fixture.look()
            #expect(findings.worst == .warning && findings.text.contains("\(path) is missing"))
            let strange = VaultKey.random()
            try fixture.files.publicKey.write(strange.publicKey)
            findings = try await fixture.look()
            #expect(findings.count == 1 && findings.worst == .problem)
            #expect(findings.text.contains(strange.id) && findings.text.contains("Remove \(path)"))
            try FileManager.default.removeItem(atPath: path)
            _ = try await fixture.files.prepare(fixture.database)
            #expect(try await fixture.look().worst == .ok)
        }
    }

    @Test("An interrupted rotation is a warning, and so is a former key that no secret needs")
    func formerKeys() async throws {
        try await withSecrets { fixture in
            let rotation = VaultRotation(files: fixture.files, database: fixture.database)
            let keyring = try await rotation.begin(publishing: true)
            var findings = try await fixture.look()
            #expect(findings.map(\.message) == ["A rotation of the vault's key is not finished."])
            #expect(findings.worst == .warning && findings.first?.advice == "backline vault rotate")
            _ = try await rotation.run()
            #expect(try await fixture.look().worst == .ok)
            try fixture.file.replace(with: keyring)
            findings = try await fixture.look()
            #expect(findings.count == 1 && findings.worst == .warning)
            let former = try #require(keyring.former.first)
            #expect(findings.text.contains("former keys that no secret needs: \(former.id)"))
            #expect(findings.first?.advice == "backline vault rotate")
        }
    }

    @Test("Changed or moved secrets are a problem, with the names of their owners")
    func damagedSecrets() async throws {
        try await withSecrets { fixture in
            try await fixture.database.write { transaction in
                // One of Ada's own secrets under another field.
                try transaction.run("UPDATE secrets SET field = 'refreshToken' WHERE user_id = 'ada'")
            }
            var findings = try await fixture.look()
            #expect(findings.count == 1 && findings.worst == .problem)
            #expect(findings.text.contains("They belong to ada.") && findings.text.contains("enter their keys"))
            try await fixture.database.write { try $0.run("UPDATE secrets SET sealed = \([UInt8(1), 2, 3])") }
            findings = try await fixture.look()
            #expect(findings.text.contains("They belong to ada and bob."))
        }
    }
}
