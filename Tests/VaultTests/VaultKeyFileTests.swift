import Contracts
import Foundation
import Model
import Storage
import TestSupport
import Testing

@testable import Vault

@Suite("The vault's key file")
struct VaultKeyFileTests {
    private let name = SecretName(userID: "u1", provider: .gemini, field: "apiKey")
    private let secret = Secret("AIza-planted-secret-0042")

    @Test("The file is created once, with mode 0600 in a new folder, and has the current key first")
    func createdFile() throws {
        let folder = try TemporaryFolder()
        let file = VaultKeyFile(path: folder.file("vault/vault.key"))
        let made = try #require(try file.make())
        #expect(try FileMode.of(file.path) == 0o600 && FileMode.of(folder.file("vault")) == 0o700)
        #expect(try file.read() == made)
        #expect(try file.make() == nil)
        let rotated = VaultKeyring(current: .random(), former: [made.current])
        try file.replace(with: rotated)
        #expect(try file.read() == rotated)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("vault")) == ["vault.key"])
    }

    @Test("One of many concurrent processes creates the file, and all read the same key")
    func concurrentProcesses() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("vault.key")
        let made = try await withThrowingTaskGroup(of: VaultKeyring?.self) { group in
            for _ in 0..<32 { group.addTask { try VaultKeyFile(path: path).make() } }
            return try await group.reduce(into: []) { $0 += [$1].compactMap { $0 } }
        }
        #expect(made.count == 1)
        #expect(try VaultKeyFile(path: path).read() == made.first)
    }

    @Test(
        "A file that others can read is refused with a remedy, except for a service manager's credential",
        arguments: [0o640, 0o604, 0o660])
    func fileThatOthersRead(mode: Int) throws {
        let folder = try TemporaryFolder()
        let file = VaultKeyFile(path: folder.file("vault.key"))
        _ = try file.make()
        try FileMode.set(mode, of: file.path)
        let error = #expect(throws: VaultKeyFileError.self) { try file.read(credentials: nil) }
        #expect(error == .notPrivate(path: file.path, mode: "0" + String(mode, radix: 8)))
        #expect(error?.description.contains("chmod 600") == true)
        let isCredential = (try? file.read(credentials: folder.path)) != nil
        #expect(isCredential == (mode & 0o007 == 0))
    }

    @Test(
        "A malformed file is refused without showing its content",
        arguments: ["", "# only words\n", "abcd", String(repeating: "g", count: 64), "\u{0}", "ab\nab\n"])
    func malformedFile(text: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("vault.key")
        _ = FileManager.default.createFile(
            atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
        let error = #expect(throws: VaultKeyFileError.self) { try VaultKeyFile(path: path).read() }
        guard case .malformed = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(!(text.count > 8 && "\(String(describing: error))".contains(text)))
    }

    @Test("A running process follows the file when it appears, is rotated and disappears")
    func changingFile() throws {
        let folder = try TemporaryFolder()
        let file = VaultKeyFile(path: folder.file("vault.key"))
        let vault = CurrentVault(keyFile: file)
        #expect(throws: VaultError.unavailable(.missing(path: file.path))) { try vault.vault().seal(secret, as: name) }
        let first = try #require(try file.make())
        let early = try vault.vault().seal(secret, as: name)
        #expect(early.keyID == first.current.id)
        let second = VaultKeyring(current: .random(), former: [first.current])
        try file.replace(with: second)
        let late = try vault.vault().seal(secret, as: name)
        #expect(late.keyID == second.current.id)
        // A secret that was read just before the end of a rotation still opens.
        let third = VaultKeyring(current: .random(), former: [second.current])
        try file.replace(with: third)
        #expect(try vault.vault().seal(secret, as: name).keyID == third.current.id)
        #expect(try vault.open(early, as: name) == secret)
        try FileManager.default.removeItem(atPath: file.path)
        #expect(throws: VaultError.unavailable(.missing(path: file.path))) { try vault.vault().seal(secret, as: name) }
        #expect(try vault.open(early, as: name) == secret)
        #expect(try vault.open(late, as: name) == secret)
    }
}
