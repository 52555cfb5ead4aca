import Foundation
import Model
import TestSupport
import Testing

@testable import Messaging

@Suite("Key files")
struct KeyFolderTests {
    let folder: TemporaryFolder
    let keys: KeyFolder

    init() throws {
        folder = try TemporaryFolder()
        keys = KeyFolder(folder.file("keys"))
    }

    private func makeWorker(_ name: String = "w1") throws -> KeyFile {
        try keys.makeWorkerPair(name: name, secretPath: keys.workerSecretPath(name))
    }

    @Test("Secrets have mode 0600 whatever the umask, and are read as written")
    func modesOfSecrets() throws {
        let before = umask(0)
        defer { umask(before) }
        let gateway = try keys.makeGatewayPair(replaces: false)
        let worker = try makeWorker()
        #expect(try FileMode.of(keys.path) == 0o700)
        #expect(try FileMode.of(keys.workersPath) == 0o700)
        #expect(try FileMode.of(keys.gatewaySecretPath) == 0o600)
        #expect(try FileMode.of(keys.workerSecretPath("w1")) == 0o600)
        #expect(try FileMode.of(keys.gatewayPublicPath) == 0o644)
        #expect(try keys.gatewayPair() == gateway.pair)
        #expect(try KeyFile.secret(at: keys.workerSecretPath("w1"), remedy: "") == worker.pair)
        #expect(try KeyFile.open(keys.gatewayPublicPath, remedy: "").publicKey == gateway.publicKey)
        #expect(try keys.register().register.status(of: worker.publicKey) == .allowed(name: "w1"))
        // Public files contain no secret, and no description shows it.
        let secret = try #require(worker.pair).secretKey.reveal()
        for path in [keys.workerPath("w1"), keys.gatewayPublicPath] {
            #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("secret-key"))
        }
        #expect(!"\(worker)".contains(secret))
    }

    @Test(
        "A secret that others can read is refused, with the command that corrects it", arguments: [0o644, 0o640, 0o604])
    func secretThatOthersRead(mode: Int) throws {
        _ = try keys.makeGatewayPair(replaces: false)
        try FileMode.set(mode, of: keys.gatewaySecretPath)
        let error = #expect(throws: KeyFileError.self) { try keys.gatewayPair() }
        #expect(error?.description.contains("chmod 600 '\(keys.gatewaySecretPath)'") == true)
        #expect(error?.description.contains("0\(String(mode, radix: 8))") == true)
    }

    @Test("A credential of a service manager may be readable by the group, but not by others")
    func credentialOfAServiceManager() throws {
        _ = try makeWorker()
        let path = keys.workerSecretPath("w1")
        try FileMode.set(0o440, of: path)
        _ = try KeyFile.secret(at: path, credentials: keys.path, remedy: "")
        #expect(throws: KeyFileError.self) { try KeyFile.secret(at: path, credentials: "/run/credentials", remedy: "") }
        try FileMode.set(0o444, of: path)
        #expect(throws: KeyFileError.self) { try KeyFile.secret(at: path, credentials: keys.path, remedy: "") }
    }

    @Test("Existing files are not replaced unless asked")
    func existingFiles() throws {
        let gateway = try keys.makeGatewayPair(replaces: false)
        let worker = try makeWorker()
        #expect(throws: KeyFileError.self) { try keys.makeGatewayPair(replaces: false) }
        #expect(throws: KeyFileError.self) { try makeWorker() }
        #expect(throws: KeyFileError.self) {
            try keys.makeWorkerPair(name: "w2", secretPath: keys.workerSecretPath("w1"))
        }
        #expect(try keys.gatewayPair() == gateway.pair)
        #expect(try keys.workerKeys().keys.map(\.publicKey) == [worker.publicKey])
        let next = try keys.makeGatewayPair(replaces: true)
        #expect(try keys.gatewayPair() == next.pair && next.pair != gateway.pair)
        let names = try FileManager.default.contentsOfDirectory(atPath: keys.path)
        #expect(names.sorted() == ["gateway.pub", "gateway.secret", "w1.secret", "workers"])
    }

    @Test("A revoked key stays in the list, and its name is not reused")
    func revokedKey() throws {
        let worker = try makeWorker()
        let time = Timestamp(microseconds: 1_700_000_000_000_000)
        #expect(try keys.revoke(name: "w1", now: time).revokedAt == time)
        #expect(try keys.register().register.status(of: worker.publicKey) == .revoked(name: "w1"))
        #expect(try keys.register().register.allowedCount == 0)
        #expect(try keys.revoke(name: "w1").revokedAt == time, "the first time counts")
        #expect(throws: KeyFileError.self) { try makeWorker() }
        #expect(throws: KeyFileError.unknownName("w2", folder: keys.workersPath)) { try keys.revoke(name: "w2") }
        #expect(throws: KeyFileError.invalidName("../w1")) { try keys.revoke(name: "../w1") }
    }

    @Test(
        "Names that are not file names are refused, and so is the gateway's",
        arguments: ["", ".a", "a/b", "ä", "gateway", "a b"])
    func refusedNames(name: String) {
        #expect(throws: KeyFileError.invalidName(name)) { try makeWorker(name) }
    }

    @Test("A malformed key file is reported without its content, and allows nobody")
    func malformedKeyFile() throws {
        let worker = try makeWorker()
        let other = try makeWorker("w2")
        let path = keys.workerPath("w1")
        let good = try String(contentsOfFile: path, encoding: .utf8)
        for text in [
            "", "TOPSECRET", "name: w1\n", good.replacing("public-key: ", with: "public-key: TOPSECRET"),
            good.replacing("name: w1", with: "name: w2"), good + "name: TOPSECRET\n",
            good + "secret-key: TOPSECRET\n", String(repeating: "#\n", count: 4_000) + good,
        ] {
            try Data(text.utf8).write(to: URL(filePath: path))
            let (register, problems) = try keys.register()
            #expect(register.status(of: worker.publicKey) == .unknown)
            #expect(register.status(of: other.publicKey) == .allowed(name: "w2"))
            #expect(
                problems.count == 1 && problems.allSatisfy { "\($0)".contains(path) && !"\($0)".contains("TOPSECRET") })
        }
        // A revocation with an unreadable time is effective.
        try Data((good + "revoked: yesterday\n").utf8).write(to: URL(filePath: path))
        #expect(try keys.register().register.status(of: worker.publicKey) == .revoked(name: "w1"))
        // Reading a pipe does not wait.
        try FileManager.default.removeItem(atPath: path)
        #expect(mkfifo(path, 0o600) == 0)
        #expect(try keys.register().problems.count == 1)
    }

    @Test("Without a folder nobody is allowed, and the error names the command that makes the gateway's key")
    func missingFolder() throws {
        #expect(try keys.register().register == KeyRegister())
        let error = #expect(throws: KeyFileError.self) { try keys.gatewayPair() }
        #expect(error?.description.contains("backline keys new --gateway") == true)
    }

    @Test("A public key is not accepted as a secret key")
    func publicOnly() throws {
        _ = try makeWorker()
        try FileMode.set(0o600, of: keys.workerPath("w1"))
        let error = #expect(throws: KeyFileError.self) { try KeyFile.secret(at: keys.workerPath("w1"), remedy: "") }
        #expect(error?.description.contains("contains no secret key") == true)
    }

    @Test("A watch reports each change, and a malformed file once")
    func watchedChanges() async throws {
        let (registers, problems) = (Collector<KeyRegister>(), Collector<KeyFileError>())
        let watch = KeyWatch(keys) {
            registers.append($0)
        } onProblem: {
            problems.append($0)
        }
        defer { watch.close() }
        let worker = try makeWorker()
        await registers.wait { $0.last?.status(of: worker.publicKey) == .allowed(name: "w1") }
        _ = try keys.revoke(name: "w1")
        await registers.wait { $0.last?.status(of: worker.publicKey) == .revoked(name: "w1") }
        try Data("nonsense".utf8).write(to: URL(filePath: keys.workerPath("w1")))
        await problems.wait(for: 1)
        let seen = registers.elements.count
        await registers.wait(for: seen + 2)
        #expect(problems.elements.count == 1)
    }
}
