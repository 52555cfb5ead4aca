import Contracts
import Model
import Storage
import TestSupport
import Testing
import Vault

@testable import Connections

@Suite("Keys of several people")
struct PersonalKeysTests {
    @Test("Keys are returned in the order of the given people, for those who have one")
    func keysInTheOrderOfPeople() async throws {
        try await KeyFixture.run { fixture in
            for name in ["ada", "bob", "cyd"] { try await fixture.add(name) }
            try await fixture.enter("key-of-ada", of: "ada")
            try await fixture.enter("key-of-cyd", of: "cyd")
            #expect(try await fixture.keys(of: "cyd", "bob", "ada") == ["cyd key-of-cyd", "ada key-of-ada"])
            #expect(try await fixture.keys(of: "bob").isEmpty)
            #expect(try await fixture.refused(of: "cyd", "bob", "ada").isEmpty)
        }
    }

    @Test("A key is used while its connection is usable, whatever its trouble")
    func usableConnections() async throws {
        try await KeyFixture.run { fixture in
            try await fixture.add("ada")
            try await fixture.enter("key", of: "ada")
            for trouble in ConnectionState.Trouble.allCases {
                try await fixture.handle(.troubled(trouble, until: nil), of: "ada")
                #expect(try await fixture.keys(of: "ada") == ["ada key"], "\(trouble)")
            }
            try await fixture.handle(.disconnected, of: "ada")
            #expect(try await fixture.keys(of: "ada").isEmpty)
            #expect(try await fixture.refused(of: "ada").isEmpty)
        }
    }

    @Test("A refused key is not used until its person enters another")
    func refusedKey() async throws {
        try await KeyFixture.run { fixture in
            for name in ["ada", "bob"] {
                try await fixture.add(name)
                try await fixture.enter("key-of-\(name)", of: name)
            }
            try await fixture.refuse("ada")
            #expect(try await fixture.keys(of: "ada", "bob") == ["bob key-of-bob"])
            #expect(try await fixture.refused(of: "ada", "bob") == ["ada"])
            try await fixture.enter("other-key", of: "ada")
            #expect(try await fixture.keys(of: "ada", "bob") == ["ada other-key", "bob key-of-bob"])
            #expect(try await fixture.refused(of: "ada", "bob").isEmpty)
        }
    }

    @Test("Refusing a key that was replaced or removed in the meantime has no effect")
    func replacedKey() async throws {
        try await KeyFixture.run { fixture in
            try await fixture.add("ada")
            try await fixture.enter("key", of: "ada")
            let key = try #require(try await fixture.found(["ada"]).keys.first)
            try await fixture.enter("other-key", of: "ada")
            try await fixture.personal.refused(key)
            #expect(try await fixture.keys(of: "ada") == ["ada other-key"])
            try await fixture.remove("ada")
            try await fixture.personal.refused(key)
            #expect(try await fixture.refused(of: "ada").isEmpty)
        }
    }

    @Test("A key that the vault cannot open is skipped, and its error is reported")
    func unopenedKey() async throws {
        try await KeyFixture.run { fixture in
            for name in ["ada", "bob"] { try await fixture.add(name) }
            let other = VaultKeyFile(path: fixture.folder.file("other.key"))
            _ = try other.make()
            try await fixture.enter("key-of-ada", of: "ada", sealedBy: CurrentVault(keyFile: other))
            try await fixture.enter("key-of-bob", of: "bob")
            var troubles: [VaultError] = []
            let found = try await fixture.found(["ada", "bob"]) { troubles.append($0) }
            #expect(found.keys.map { $0.secret.reveal() } == ["key-of-bob"] && found.refused.isEmpty)
            guard case .unknownKey = try #require(troubles.first), troubles.count == 1 else {
                Issue.record("\(troubles)")
                return
            }
        }
    }
}

/// People with keys for one provider.
private struct KeyFixture: Sendable {
    private static let provider = Provider.ticketmaster

    let database: Database
    let folder: TemporaryFolder
    let vault: CurrentVault
    let personal: PersonalKeys

    static func run(_ body: (KeyFixture) async throws -> Void) async throws {
        try await withVault { database, folder, vault in
            try await body(
                KeyFixture(
                    database: database, folder: folder, vault: vault,
                    personal: PersonalKeys(provider: Self.provider, database: database, vault: vault)))
        }
    }

    /// Adds a person whose id is the name.
    func add(_ name: String) async throws {
        try await database.write { try $0.insertPerson(id: name, name: name) }
    }

    func enter(_ key: String, of userID: String, sealedBy vault: CurrentVault? = nil) async throws {
        let vault = vault ?? self.vault
        try await database.write { transaction in
            try transaction.vault.putSecret(
                Secret(key), as: SecretName(userID: userID, provider: Self.provider, field: SecretField.apiKey),
                by: vault, now: .now())
            try transaction.connections.handle(.accepted, userID: userID, provider: Self.provider, now: .now())
        }
    }

    func remove(_ userID: String) async throws {
        try await database.write { transaction in
            try transaction.vault.deleteSecrets(userID: userID, provider: Self.provider.rawValue)
            try transaction.connections.handle(.disconnected, userID: userID, provider: Self.provider, now: .now())
        }
    }

    func handle(_ event: ConnectionEvent, of userID: String) async throws {
        try await database.write {
            _ = try $0.connections.handle(event, userID: userID, provider: Self.provider, now: .now())
        }
    }

    /// Records that the provider refused a person's current key.
    func refuse(_ userID: String) async throws {
        try await personal.refused(try #require(try await found([userID]).keys.first))
    }

    func found(
        _ users: [String], onTrouble: (VaultError) -> Void = { Issue.record($0) }
    ) async throws -> (keys: [PersonalKeys.Key], refused: [String]) {
        try await personal.keys(of: { _ in users }, onTrouble: onTrouble)
    }

    /// The usable keys, each as `name key`.
    func keys(of users: String...) async throws -> [String] {
        try await found(users).keys.map { "\($0.userID) \($0.secret.reveal())" }
    }

    func refused(of users: String...) async throws -> [String] {
        try await found(users).refused
    }
}
