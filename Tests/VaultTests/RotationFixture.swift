import Contracts
import Foundation
import Model
import Storage
import TestSupport
import Testing

@testable import Vault

/// A person with secrets of all kinds, in a database next to a key file.
struct RotationFixture: Sendable {
    let database: Database
    let files: VaultFiles
    /// The vault of a process.
    let vault: CurrentVault

    var file: VaultKeyFile { files.keys }

    var rotation: VaultRotation { VaultRotation(files: files, database: database) }

    static func run(_ body: (RotationFixture) async throws -> Void) async throws {
        try await withDatabase { database, folder in
            let files = VaultFiles(
                keys: VaultKeyFile(path: folder.file("vault/vault.key")),
                publicKey: VaultPublicKeyFile(path: folder.file("vault.pub")))
            _ = try await files.prepare(database)
            try await database.write {
                try $0.insertPerson(id: "u1", name: "ada")
            }
            try await body(RotationFixture(database: database, files: files, vault: CurrentVault(keyFile: files.keys)))
        }
    }

    /// Another process on the same database.
    func another() throws -> RotationFixture {
        RotationFixture(
            database: try .open(path: database.path, schema: database.schema), files: files,
            vault: CurrentVault(keyFile: file))
    }

    var keyIDs: [String] {
        get throws {
            let keyring = try file.read()
            return [keyring.current.id] + keyring.former.map(\.id)
        }
    }

    func secret(_ number: Int) -> Secret { Secret("planted-secret-\(number)-0042") }

    private func name(_ number: Int) -> SecretName {
        let providers = Provider.known
        return SecretName(userID: "u1", provider: providers[number % providers.count], field: "f\(1_000 + number)")
    }

    func put(_ count: Int, from first: Int = 0) async throws {
        try await database.write { transaction in
            for number in first..<(first + count) {
                let name = name(number)
                try transaction.vault.putSecret(
                    try vault.seal(secret(number), as: name, in: transaction), userID: name.userID,
                    provider: name.provider.rawValue, field: name.field, now: .now())
            }
        }
    }

    func keyIDsInUse() async throws -> Set<String> { Set(try await stored().map(\.secret.keyID)) }

    func open(_ number: Int) async throws -> Secret {
        let name = name(number)
        let sealed = try await database.read {
            try $0.vault.sealedSecret(userID: name.userID, provider: name.provider.rawValue, field: name.field)
        }
        return try vault.open(try #require(sealed), as: name)
    }

    /// How many secrets open in a process that has just started.
    func opened() async throws -> Int {
        let fresh = Vault(keyring: try file.read())
        return try await stored().count { stored in
            guard let name = SecretName(stored), let number = Int(stored.field.dropFirst()) else { return false }
            return (try? fresh.open(stored.secret, as: name)) == secret(number - 1_000)
        }
    }

    private func stored() async throws -> [StoredSecret] {
        try await database.read { try $0.vault.secrets(notSealedWith: "", after: nil, limit: 10_000) }
    }

    /// The sealed values in the order of their numbers.
    func sealed() async throws -> [[UInt8]] {
        try await stored().sorted { $0.field < $1.field }.map(\.secret.bytes)
    }

    func damage(_ number: Int) async throws {
        let field = name(number).field
        try await database.write { transaction in
            try transaction.run(
                "UPDATE secrets SET sealed = \([UInt8](repeating: 7, count: 60)) WHERE field = \(field)")
        }
    }

    // MARK: Short-lived values

    func begin(signIn id: String, candidate: String) async throws {
        try await database.write { transaction in
            let name = SecretName(userID: "u1", provider: .spotify, field: id)
            let sealed = try vault.seal(Secret("verifier"), as: name, in: transaction)
            let end = Timestamp.now().advanced(by: .seconds(600))
            try transaction.vault.insertAuthorization(
                AuthorizationRecord(
                    stateHash: id, id: id, userID: "u1", sessionHash: nil, provider: "spotify", redirectURI: "",
                    scopes: "", verifier: sealed, createdAt: .now(), expiresAt: end))
            try transaction.vault.insertCandidate(
                CandidateRecord(
                    id: candidate, userID: "u1", provider: "gemini", secret: sealed, details: "{}", createdAt: .now(),
                    expiresAt: end))
        }
    }

    func candidateName(_ id: String) -> SecretName {
        SecretName(userID: "u1", provider: .gemini, field: "candidate:\(id)")
    }

    /// Seals a key that a person enters at the gateway.
    func sealCandidate(_ id: String, by gateway: CurrentPublicKey) async throws -> SealedSecret {
        try await database.write { transaction in
            let sealed = try gateway.seal(Secret(id), as: candidateName(id), in: transaction)
            try transaction.vault.insertCandidate(
                CandidateRecord(
                    id: id, userID: "u1", provider: "gemini", secret: sealed, details: "{}", createdAt: .now(),
                    expiresAt: .now().advanced(by: .seconds(600))))
            return sealed
        }
    }

    func end(candidate: String) async throws {
        try await database.write { _ = try $0.vault.deleteCandidate(id: candidate) }
    }

    func comeBack(signIn id: String) async throws {
        try await database.write { transaction in
            let name = SecretName(userID: "u1", provider: .spotify, field: "code")
            let sealed = try vault.seal(Secret("code"), as: name, in: transaction)
            #expect(try transaction.vault.setAuthorizationCode(sealed, id: id, now: .now()))
        }
    }

    func expire(signIn id: String) async throws {
        try await database.write { try $0.run("UPDATE authorizations SET expires_at = 1 WHERE id = \(id)") }
    }
}
