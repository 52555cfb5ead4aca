import Foundation
import Model

/// The folder of the messaging keys, which the gateway reads and `backline keys` writes: `gateway.secret`,
/// `gateway.pub`, the allow-list `workers/NAME.pub`, and `NAME.secret` for keys that were not stored elsewhere when
/// they were made.
package struct KeyFolder: Sendable {
    package let path: String

    package init(_ path: String) {
        self.path = path
    }

    package var gatewaySecretPath: String { "\(path)/gateway.secret" }
    package var gatewayPublicPath: String { "\(path)/gateway.pub" }
    package var workersPath: String { "\(path)/workers" }

    package func workerPath(_ name: String) -> String { "\(workersPath)/\(name).pub" }
    package func workerSecretPath(_ name: String) -> String { "\(path)/\(name).secret" }

    /// The gateway's name among the keys.
    package static let gatewayName = "gateway"

    /// Whether a text may name a key. It is also a file name.
    package static func isName(_ text: String) -> Bool {
        func isPlain(_ byte: UInt8) -> Bool {
            (0x61...0x7a).contains(byte) || (0x41...0x5a).contains(byte) || (0x30...0x39).contains(byte)
        }
        return (1...64).contains(text.utf8.count) && text.utf8.first.map(isPlain) == true
            && text.utf8.allSatisfy { isPlain($0) || [0x2d, 0x2e, 0x5f].contains($0) }
    }

    // MARK: Reading

    /// The gateway's own pair.
    package func gatewayPair() throws(KeyFileError) -> CurveKeyPair {
        try KeyFile.secret(
            at: gatewaySecretPath,
            remedy:
                "'backline keys new --gateway' makes the gateway's key, and 'backline keys new NAME' one for a worker.")
    }

    /// Reads the allow-list; `problems` has the files that cannot be used. A missing folder counts as an empty list.
    ///
    /// - Throws: when the folder cannot be read, or the system has no descriptors or memory left to read a file.
    package func register() throws(KeyFileError) -> (register: KeyRegister, problems: [KeyFileError]) {
        let (keys, problems) = try workerKeys()
        return (KeyRegister(keys), problems)
    }

    /// The keys of the allow-list, sorted by name, with revoked ones.
    package func workerKeys() throws(KeyFileError) -> (keys: [WorkerKey], problems: [KeyFileError]) {
        var (keys, problems): ([WorkerKey], [KeyFileError]) = ([], [])
        for name in try names() {
            let file = workerPath(name)
            do throws(KeyFileError) {
                let key = try KeyFile.open(file, remedy: "")
                guard key.name == name else {
                    throw .malformed(path: file, reason: "contains the key \(key.name) but is not named after it")
                }
                keys.append(
                    WorkerKey(
                        name: name, publicKey: key.publicKey, createdAt: key.createdAt, revokedAt: key.revokedAt))
            } catch .unreadable(_, let code) where [EMFILE, ENFILE, ENOMEM, EIO].contains(code) {
                // That says nothing about the key: its worker must stay connected.
                throw .unreadable(path: file, code: code)
            } catch .missing {
                continue
            } catch {
                problems.append(error)
            }
        }
        return (keys, problems)
    }

    private func names() throws(KeyFileError) -> [String] {
        guard let folder = opendir(workersPath) else {
            if errno == ENOENT { return [] }
            throw .unreadable(path: workersPath, code: errno)
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let file = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            guard file.hasSuffix(".pub"), Self.isName(String(file.dropLast(4))) else { continue }
            names.append(String(file.dropLast(4)))
        }
        return names.sorted()
    }

    // MARK: Writing

    /// Makes the gateway's pair.
    ///
    /// - Parameter replaces: whether an existing pair is replaced. All workers then need the new `gateway.pub`.
    package func makeGatewayPair(replaces: Bool, now: Timestamp = .now()) throws -> KeyFile {
        try makeFolders()
        let key = KeyFile(name: Self.gatewayName, createdAt: now, pair: try .generate())
        do {
            try key.write(to: gatewaySecretPath, replaces: replaces)
        } catch KeyFileError.exists {
            throw KeyFileError.exists(
                path: gatewaySecretPath,
                remedy: "With --force it is replaced; all workers then need the new \(gatewayPublicPath).")
        }
        try KeyFile(name: key.name, createdAt: now, publicKey: key.publicKey)
            .write(to: gatewayPublicPath, replaces: true)
        return key
    }

    /// Makes a worker's pair: the secret goes to `secretPath`, the public key into the allow-list.
    package func makeWorkerPair(name: String, secretPath: String, now: Timestamp = .now()) throws -> KeyFile {
        guard Self.isName(name), name != Self.gatewayName else { throw KeyFileError.invalidName(name) }
        try makeFolders()
        guard !FileManager.default.fileExists(atPath: workerPath(name)) else {
            throw KeyFileError.exists(
                path: workerPath(name),
                remedy: "Make the new key under another name, give it to the worker, and then revoke this one.")
        }
        let key = KeyFile(name: name, createdAt: now, pair: try .generate())
        // The secret is written first: after a later failure there is only a key that is not allowed.
        try key.write(to: secretPath, replaces: false)
        do {
            try KeyFile(name: name, createdAt: now, publicKey: key.publicKey)
                .write(to: workerPath(name), replaces: false)
        } catch {
            unlink(secretPath)
            throw error
        }
        return key
    }

    /// Revokes a key; a key that is already revoked stays unchanged.
    package func revoke(name: String, now: Timestamp = .now()) throws(KeyFileError) -> WorkerKey {
        guard Self.isName(name) else { throw .invalidName(name) }
        var key: KeyFile
        do throws(KeyFileError) {
            key = try KeyFile.open(workerPath(name), remedy: "")
        } catch .missing {
            throw .unknownName(name, folder: workersPath)
        }
        if key.revokedAt == nil {
            key.revokedAt = now
            try key.write(to: workerPath(name), replaces: true)
        }
        return WorkerKey(
            name: key.name, publicKey: key.publicKey, createdAt: key.createdAt, revokedAt: key.revokedAt)
    }

    private func makeFolders() throws(KeyFileError) {
        for folder in [path, workersPath] {
            do {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw .unwritable(path: folder, code: errno)
            }
        }
    }
}
