import Contracts
import Model
import Platform
import Storage
import Testing

@testable import Vault

@Suite("Sealed secrets")
struct VaultTests {
    private let vault = Vault(keyring: VaultKeyring(current: .random()))
    private let name = SecretName(userID: "u1", provider: .gemini, field: "apiKey")
    private let secret = Secret("AIza-planted-secret-0042")

    @Test("A secret opens under its name, and its hint has only the last four characters")
    func openedSecret() throws {
        let sealed = try vault.seal(secret, as: name)
        #expect(try vault.open(sealed, as: name) == secret)
        #expect(sealed.hint == "0042")
        #expect(try vault.seal(Secret("short"), as: name).hint.isEmpty)
    }

    @Test(
        "A value that is copied to another user, provider or field does not open",
        arguments: [
            SecretName(userID: "u2", provider: .gemini, field: "apiKey"),
            SecretName(userID: "u1", provider: .ticketmaster, field: "apiKey"),
            SecretName(userID: "u1", provider: .gemini, field: "refreshToken"),
        ])
    func valueInAnotherRow(other: SecretName) throws {
        let sealed = try vault.seal(secret, as: name)
        #expect(throws: VaultError.doesNotOpen) { try vault.open(sealed, as: other) }
    }

    @Test("Names with the same concatenation are different")
    func ambiguousNames() throws {
        let sealed = try vault.seal(secret, as: SecretName(userID: "spotify", provider: .spotify, field: ""))
        #expect(throws: VaultError.doesNotOpen) {
            try vault.open(sealed, as: SecretName(userID: "", provider: .spotify, field: "spotify"))
        }
    }

    @Test("A value that was modified or truncated does not open")
    func modifiedValue() throws {
        let sealed = try vault.seal(secret, as: name)
        for index in sealed.bytes.indices {
            var changed = sealed
            changed.bytes[index] ^= 1
            #expect(throws: VaultError.doesNotOpen) { try vault.open(changed, as: name) }
        }
        for count in [0, 1, 27, 31, 32, 33, 47, 48, sealed.bytes.count - 1] {
            var cut = sealed
            cut.bytes = Array(sealed.bytes.prefix(count))
            #expect(throws: VaultError.doesNotOpen) { try vault.open(cut, as: name) }
        }
    }

    @Test("A former key opens its values; the error for an unknown key has only its id")
    func formerKeys() throws {
        let sealed = try vault.seal(secret, as: name)
        let rotated = Vault(keyring: VaultKeyring(current: .random(), former: [vault.keyring.current]))
        #expect(try rotated.open(sealed, as: name) == secret)
        let strange = Vault(keyring: VaultKeyring(current: .random()))
        #expect(throws: VaultError.unknownKey(id: sealed.keyID)) { try strange.open(sealed, as: name) }
        #expect(VaultKey(bytes: vault.keyring.current.bytes) == vault.keyring.current)
        #expect(VaultKey(bytes: [1, 2, 3]) == nil)
    }

    @Test("The public key alone suffices to seal for its private key and no other, and no two seals are equal")
    func publicKey() throws {
        let key = vault.keyring.current
        let sealer = try #require(VaultPublicKey(bytes: key.publicKey.bytes))
        #expect(sealer == key.publicKey && sealer.id == key.id)
        let (one, two) = (try sealer.seal(secret, as: name), try sealer.seal(secret, as: name))
        #expect(one.keyID == key.id && one.hint == "0042")
        #expect(one.bytes.prefix(32) != two.bytes.prefix(32))
        #expect(one.bytes.suffix(24) != two.bytes.suffix(24))
        #expect(try vault.open(one, as: name) == secret)
        var foreign = one
        let other = Vault(keyring: VaultKeyring(current: .random()))
        foreign.keyID = other.keyring.current.id
        #expect(throws: VaultError.doesNotOpen) { try other.open(foreign, as: name) }
        // The public key does not reveal the private bits.
        #expect(sealer.bytes != key.bytes && VaultKey(bytes: sealer.bytes)?.publicKey != sealer)
    }

    @Test("A value that was sealed once opens in every later release")
    func sealedFormat() throws {
        // Made by another implementation of RFC 9180, for a key with the bytes 0x40 to 0x5f.
        let key = try #require(VaultKey(bytes: [UInt8](0x40...0x5f)))
        #expect(key.publicKey.bytes.hexadecimal == "295c17ac57abb46ccb02e1375b5555124bf1ca387474f250f526e6ad4f295528")
        #expect(key.id == "6b0cc91c7e573216")
        let seal =
            "493e82fc74464a59268817623d2053c5eb8e2cc4a988b4fee179ec6b010d531d856279a03159e157"
            + "bfebb30f1b8c60691919b073a5ad6dc31e62e97d5275a231b72a40cb808492e0"
        let sealed = SealedSecret(keyID: key.id, bytes: try #require([UInt8](hexadecimal: seal)), hint: "")
        let vault = Vault(keyring: VaultKeyring(current: .random(), former: [key]))
        #expect(try vault.open(sealed, as: name) == secret)
        #expect(throws: VaultError.doesNotOpen) {
            try vault.open(sealed, as: SecretName(userID: "u2", provider: .gemini, field: "apiKey"))
        }
    }
}
