import Contracts
import Foundation
import Model
import Platform
import Storage
import TestSupport
import Testing

@testable import Vault

@Suite("The vault's files")
struct VaultFilesTests {
    private let name = SecretName(userID: "u1", provider: .gemini, field: "apiKey")
    private let secret = Secret("AIza-planted-secret-0042")

    private func withFiles(_ body: (VaultFiles, Database, TemporaryFolder) async throws -> Void) async throws {
        try await withDatabase { database, folder in
            let files = VaultFiles(
                keys: VaultKeyFile(path: folder.file("vault/vault.key")),
                publicKey: VaultPublicKeyFile(path: folder.file("vault.pub")))
            try await body(files, database, folder)
        }
    }

    private func plant(_ sealed: SealedSecret, _ database: Database) async throws {
        try await database.write { transaction in
            try transaction.insertPerson(id: "u1", name: "ada")
            try transaction.vault.putSecret(
                sealed, userID: "u1", provider: "gemini", field: "apiKey", now: Timestamp(microseconds: 0))
        }
    }

    @Test("A worker creates missing files while nothing is sealed, but no key later")
    func onlyWhileEmpty() async throws {
        try await withFiles { files, database, _ in
            let gateway = CurrentPublicKey(file: files.publicKey)
            #expect(throws: VaultError.cannotSeal(.missing(path: files.publicKey.path))) { try gateway.key() }
            let first = try await files.prepare(database)
            let key = try files.keys.read().current
            #expect(first.made == key.id && first.published == key.id)
            #expect(try await files.prepare(database) == VaultFiles.Preparation())
            #expect(try gateway.key() == key.publicKey)
            let sealed = try await database.write { try gateway.seal(secret, as: name, in: $0) }
            #expect(try CurrentVault(keyFile: files.keys).open(sealed, as: name) == secret)
            try await plant(sealed, database)
            try FileManager.default.removeItem(atPath: files.keys.path)
            await #expect(throws: VaultKeyFileError.missing(path: files.keys.path)) {
                try await files.prepare(database)
            }
            #expect(!FileManager.default.fileExists(atPath: files.keys.path))
        }
    }

    @Test("One of many concurrent processes makes the key, and the public key belongs to it")
    func concurrentProcesses() async throws {
        try await withFiles { files, database, _ in
            let others = try (0..<8).map { _ in try Database.open(path: database.path, schema: database.schema) }
            defer { for other in others { other.close() } }
            let made = try await withThrowingTaskGroup(of: VaultFiles.Preparation.self) { group in
                for other in others { group.addTask { try await files.prepare(other) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(made.count { $0.made != nil } == 1 && made.count { $0.published != nil } == 1)
            #expect(try files.publicKey.read() == files.keys.read().current.publicKey)
        }
    }

    @Test("A missing or malformed public key file is written again, and does not reveal the private key")
    func publicKey() async throws {
        try await withFiles { files, database, _ in
            _ = try await files.prepare(database)
            let key = try files.keys.read().current
            let path = files.publicKey.path
            for text in [nil, "", "ab\n", key.publicKey.bytes.hexadecimal + "\n" + key.publicKey.bytes.hexadecimal] {
                try FileManager.default.removeItem(atPath: path)
                if let text { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
                let error: VaultPublicKeyFileError = text == nil ? .missing(path: path) : .malformed(path: path)
                #expect(throws: error) { try files.publicKey.read() }
                #expect(try await files.prepare(database).published == key.id)
                #expect(try files.publicKey.read() == key.publicKey)
                #expect(try FileMode.of(path) == 0o600)
            }
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(!text.contains(key.bytes.hexadecimal) && text.contains(key.publicKey.bytes.hexadecimal))
        }
    }

    @Test("An unknown public key is reported and left in place, and that of a former key is left to the rotation")
    func otherPublicKey() async throws {
        try await withFiles { files, database, _ in
            _ = try await files.prepare(database)
            let (strange, key) = (VaultKey.random(), try files.keys.read().current)
            try files.publicKey.write(strange.publicKey)
            #expect(try await files.prepare(database).unknownPublicKey == strange.id)
            #expect(try files.publicKey.read() == strange.publicKey)
            try files.keys.replace(with: VaultKeyring(current: key, former: [strange]))
            #expect(try await files.prepare(database) == VaultFiles.Preparation())
            #expect(try files.publicKey.read() == strange.publicKey)
            // A new first key replaces any other public key.
            try FileManager.default.removeItem(atPath: files.keys.path)
            let again = try await files.prepare(database)
            #expect(again.made != nil && again.published == again.made && again.unknownPublicKey == nil)
            #expect(try files.publicKey.read() == files.keys.read().current.publicKey)
        }
    }

    @Test("A worker's last report counts while it is connected")
    func readersOfTheKeys() async throws {
        try await withDatabase { database, _ in
            let (key, next) = (VaultKey.random(), VaultKey.random())
            let none = VaultReader(worker: "ai-worker-1", keyring: nil)
            let both = VaultReader(worker: "sync-worker-1", keyring: VaultKeyring(current: next, former: [key]))
            try await database.write { transaction in
                try transaction.vault.putReader(VaultReader(worker: "ai-worker-1", keyIDs: ["x"]), now: .now())
                try transaction.vault.putReader(none, now: .now())
                try transaction.vault.putReader(both, now: .now())
            }
            let (all, one) = try await database.read { reader in
                (
                    try reader.vault.readers(among: ["ai-worker-1", "sync-worker-1", "sync-worker-2"]),
                    try reader.vault.readers(among: ["ai-worker-1"])
                )
            }
            #expect(all == [none, both] && one == [none])
            #expect(all.trouble(opening: [key.id, next.id]) == nil && all.canOpen)
            #expect(all.trouble(opening: [key.id, "another"]) == .vaultKeyLost)
            #expect(one.trouble(opening: [key.id]) == .vaultUnavailable && !one.canOpen)
            #expect(one.trouble(opening: []) == nil && [VaultReader]().trouble(opening: [key.id]) == nil)
        }
    }
}
