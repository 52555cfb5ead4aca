import Contracts
import Foundation
import Model
import Storage
import TestSupport
import Testing

@testable import Vault

@Suite("Rotating the vault's key", .timeLimit(.minutes(5)))
struct VaultRotationTests {
    @Test("In several batches every secret is sealed anew, opens as before, and the former key is gone")
    func batches() async throws {
        try await Bench.run { bench in
            let count = VaultRotation.batch * 2 + 7
            try await bench.put(count)
            let former = try bench.file.read().current.id
            let progress = try await bench.rotation.run()
            #expect(progress.resealed == count && progress.dropped == [former] && progress.remaining == 0)
            #expect(try bench.keyIDs == [progress.currentID] && progress.currentID != former)
            #expect(try await bench.opened() == count)
            // What people see of a secret is as it was.
            let secrets = try await bench.database.read { try $0.vault.secrets(sealedWith: progress.currentID) }
            #expect(secrets.count == count && secrets.allSatisfy { $0.secret.hint == "0042" })
        }
    }

    @Test("What was interrupted goes on with the key that it made, whatever was done by then")
    func interrupted() async throws {
        try await Bench.run { bench in
            try await bench.put(5)
            let former = try bench.file.read().current.id
            let made = try await bench.rotation.begin()
            #expect(try bench.keyIDs == [made.current.id, former])
            // With that key some were sealed anew, and others are new.
            try await bench.put(2)
            try await bench.put(8, from: 5)
            let progress = try await bench.rotation.run()
            #expect(progress.currentID == made.current.id && progress.resealed == 3 && progress.dropped == [former])
            #expect(try await bench.opened() == 13)
            // Nothing is left but the end.
            try bench.file.replace(with: VaultKeyring(current: made.current, former: [.random()]))
            #expect(try await bench.rotation.run().dropped.count == 1)
            #expect(try bench.keyIDs == [made.current.id])
        }
    }

    @Test("While other processes seal and open, nothing is sealed with a key that has left the file")
    func busy() async throws {
        try await Bench.run { bench in
            try await bench.put(20)
            let others = try (0..<3).map { _ in try bench.another() }
            defer { for other in others { other.database.close() } }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, other) in others.enumerated() {
                    group.addTask {
                        for round in 0... {
                            guard !Task.isCancelled else { return }
                            let number = (round * 3 + index) % 20
                            try await other.put(1, from: number)
                            #expect(try await other.open(number) == other.secret(number))
                        }
                    }
                }
                for _ in 0..<20 {
                    let progress = try await bench.rotation.run()
                    #expect(progress.dropped.count == 1 && progress.damaged == 0 && progress.lost == 0)
                }
                group.cancelAll()
                try await group.waitForAll()
            }
            #expect(try bench.keyIDs.count == 1)
            #expect(try await bench.opened() == 20)
        }
    }

    @Test("A secret that changed while it was sealed anew keeps its new value")
    func changed() async throws {
        try await Bench.run { bench in
            try await bench.put(1)
            let keyring = try await bench.rotation.begin()
            let read = try await bench.database.read {
                try $0.vault.secrets(notSealedWith: keyring.current.id, after: nil, limit: 1)
            }
            let stored = try #require(read.first)
            try await bench.put(1)
            let isWritten = try await bench.database.write { try $0.vault.reseal(stored, as: stored.secret) }
            #expect(!isWritten)
            #expect(try await bench.rotation.run().resealed == 0)
            #expect(try await bench.opened() == 1)
        }
    }

    @Test("Of several rotations at once none loses the key of another")
    func race() async throws {
        try await Bench.run { bench in
            try await bench.put(30)
            let others = try (0..<4).map { _ in try bench.another() }
            defer { for other in others { other.database.close() } }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for other in others {
                    group.addTask {
                        for _ in 0..<10 { _ = try await other.rotation.run() }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try bench.keyIDs.count == 1)
            #expect(try await bench.opened() == 30)
        }
    }

    @Test("Sign-ins and keys under way keep the key that sealed them, the code as well as the verifier")
    func passing() async throws {
        try await Bench.run { bench in
            try await bench.put(3)
            let first = try bench.file.read().current
            try await bench.begin(signIn: "a", candidate: "c")
            var progress = try await bench.rotation.run()
            #expect(progress.dropped == [] && progress.remaining == 2)
            try await bench.end(candidate: "c")
            progress = try await bench.rotation.run()
            #expect(progress.dropped == [] && progress.remaining == 1)
            // The code that came back was sealed with the second key, and the next rotation makes it a former one.
            let second = try bench.file.read().current
            try await bench.comeBack(signIn: "a")
            try bench.file.replace(with: VaultKeyring(current: .random(), former: [second, first]))
            progress = try await bench.rotation.run()
            #expect(progress.dropped == [] && progress.remaining == 2)
            try await bench.expire(signIn: "a")
            progress = try await bench.rotation.run()
            #expect(Set(progress.dropped) == [first.id, second.id] && progress.remaining == 0)
            #expect(try await bench.opened() == 3)
        }
    }

    @Test("A secret that was changed, or whose key is lost, stays as it is and keeps no former key")
    func damaged() async throws {
        try await Bench.run { bench in
            let lost = try bench.file.read().current
            try await bench.put(1)
            try bench.file.replace(with: VaultKeyring(current: .random()))
            try await bench.put(2, from: 1)
            try await bench.damage(2)
            let before = try await bench.sealed()
            let progress = try await bench.rotation.run()
            #expect(progress.resealed == 1 && progress.damaged == 1 && progress.lost == 1)
            #expect(progress.dropped.count == 1 && progress.remaining == 0)
            let after = try await bench.sealed()
            #expect(after[0] == before[0] && after[1] != before[1] && after[2] == before[2])
            // The lost key turns up.
            let present = try bench.file.read().current
            try bench.file.replace(with: VaultKeyring(current: present, former: [lost]))
            #expect(try await bench.rotation.run().resealed == 1)
            #expect(try await bench.opened() == 2)
        }
    }
}

/// A person with secrets of all kinds, in a database with a key file beside it.
private struct Bench: Sendable {
    let database: Database
    let file: VaultKeyFile
    /// As a process has it.
    let vault: CurrentVault

    var rotation: VaultRotation { VaultRotation(keyFile: file, database: database) }

    static func run(_ body: (Bench) async throws -> Void) async throws {
        try await withDatabase { database, folder in
            let file = VaultKeyFile(path: folder.file("vault.key"))
            _ = try file.make()
            try await database.write {
                try $0.insertPerson(id: "u1", name: "ada")
            }
            try await body(Bench(database: database, file: file, vault: CurrentVault(keyFile: file)))
        }
    }

    /// Another process on the same database.
    func another() throws -> Bench {
        Bench(database: try .open(path: database.path), file: file, vault: CurrentVault(keyFile: file))
    }

    var keyIDs: [String] {
        get throws {
            let keyring = try file.read()
            return [keyring.current.id] + keyring.former.map(\.id)
        }
    }

    func secret(_ number: Int) -> Secret { Secret("planted-secret-\(number)-0042") }

    private func name(_ number: Int) -> SecretName {
        let providers = CredentialProvider.allCases
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

    func open(_ number: Int) async throws -> Secret {
        let name = name(number)
        let sealed = try await database.read {
            try $0.vault.sealedSecret(userID: name.userID, provider: name.provider.rawValue, field: name.field)
        }
        return try vault.open(try #require(sealed), as: name)
    }

    /// How many secrets open, as a process that has just started finds them.
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
            try transaction.execute(
                "UPDATE secrets SET sealed = \([UInt8](repeating: 7, count: 60)) WHERE field = \(field)")
        }
    }

    // MARK: What lives for minutes

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
        try await database.write { _ = try $0.execute("UPDATE authorizations SET expires_at = 1 WHERE id = \(id)") }
    }
}
