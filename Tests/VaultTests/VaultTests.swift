import Contracts
import Model
import Storage
import Testing

@testable import Vault

@Suite("Sealed secrets")
struct VaultTests {
    private let vault = Vault(keyring: VaultKeyring(current: .random()))
    private let name = SecretName(userID: "u1", provider: .gemini, field: "apiKey")
    private let secret = Secret("AIza-planted-secret-0042")

    @Test("One opens as what it was sealed as, and shows its last four characters alone")
    func opens() throws {
        let sealed = try vault.seal(secret, as: name)
        #expect(try vault.open(sealed, as: name) == secret)
        #expect(sealed.hint == "0042")
        #expect(try vault.seal(Secret("short"), as: name).hint.isEmpty)
    }

    @Test(
        "One that is copied to another user, provider or field does not open",
        arguments: [
            SecretName(userID: "u2", provider: .gemini, field: "apiKey"),
            SecretName(userID: "u1", provider: .ticketmaster, field: "apiKey"),
            SecretName(userID: "u1", provider: .gemini, field: "refreshToken"),
        ])
    func bound(other: SecretName) throws {
        let sealed = try vault.seal(secret, as: name)
        #expect(throws: VaultError.doesNotOpen) { try vault.open(sealed, as: other) }
    }

    @Test("Names that read the same when they are written one after another are different names")
    func boundaries() throws {
        let sealed = try vault.seal(secret, as: SecretName(userID: "spotify", provider: .spotify, field: ""))
        #expect(throws: VaultError.doesNotOpen) {
            try vault.open(sealed, as: SecretName(userID: "", provider: .spotify, field: "spotify"))
        }
    }

    @Test("One whose bytes were changed, cut or lost does not open")
    func changed() throws {
        let sealed = try vault.seal(secret, as: name)
        for index in sealed.bytes.indices {
            var changed = sealed
            changed.bytes[index] ^= 1
            #expect(throws: VaultError.doesNotOpen) { try vault.open(changed, as: name) }
        }
        for count in [0, 1, 27, sealed.bytes.count - 1] {
            var cut = sealed
            cut.bytes = Array(sealed.bytes.prefix(count))
            #expect(throws: VaultError.doesNotOpen) { try vault.open(cut, as: name) }
        }
    }

    @Test("A former key opens what it sealed, an unknown one nothing, and its error names the key alone")
    func keys() throws {
        let sealed = try vault.seal(secret, as: name)
        let rotated = Vault(keyring: VaultKeyring(current: .random(), former: [vault.keyring.current]))
        #expect(try rotated.open(sealed, as: name) == secret)
        let strange = Vault(keyring: VaultKeyring(current: .random()))
        #expect(throws: VaultError.unknownKey(id: sealed.keyID)) { try strange.open(sealed, as: name) }
        #expect(VaultKey(bytes: vault.keyring.current.bytes) == vault.keyring.current)
        #expect(VaultKey(bytes: [1, 2, 3]) == nil)
    }
}
