import Accounts
import Bootstrap
import CommandSupport
import Foundation
import Storage

extension DoctorCheck {
    /// Modes and owners of the files and folders of an installation.
    static let files = DoctorCheck("files") { context in
        let database = DatabasePath.resolved(context.databasePath)
        let processes = context.processes
        var files = ["", "-wal", "-shm", ".lock", GatewayLock.suffix].map {
            PrivatePath(path: database + $0, what: "The database's file")
        }
        files.append(
            PrivatePath(path: RecognitionKey.path(besideDatabase: database), what: "The key of held usernames"))
        files.append(
            PrivatePath(path: processes.workerFolder, what: "The folder of the workers' names", isFolder: true))
        if let socket = processes.socketPath {
            let folder = URL(fileURLWithPath: socket).deletingLastPathComponent().path
            files.append(PrivatePath(path: folder, what: "The socket's folder", isFolder: true))
        }
        if let key = context.configuration.ticketmaster.apiKeyFile {
            files.append(PrivatePath(path: key, what: "The key file", isSecret: true))
        }
        if let secret = context.configuration.google.clientSecretFile {
            files.append(PrivatePath(path: secret, what: "The file of Google's client secret", isSecret: true))
        }
        if let key = context.configuration.appleMusic.developerKey {
            files.append(
                PrivatePath(path: key.privateKeyFile, what: "The file of Apple Music's private key", isSecret: true))
        }
        if let token = context.environment[CommandLineVariable.tokenFile.rawValue], !token.isEmpty {
            files.append(PrivatePath(path: token, what: "The token file", isSecret: true))
        }
        files += keyFiles(of: context.configuration.messaging)
        let findings = files.compactMap(\.finding) + [folderFinding(processes.databaseFolder)].compactMap { $0 }
        return findings.isEmpty ? [.ok("Only this account can reach the database, the socket and the keys.")] : findings
    }

    /// The key files of messaging, and the folders in which a key could be added.
    private static func keyFiles(of messaging: BacklineConfiguration.Messaging) -> [PrivatePath] {
        let keys = messaging.keys
        let secrets = (try? FileManager.default.contentsOfDirectory(atPath: keys.path)) ?? []
        return [
            PrivatePath(path: keys.path, what: "The folder of the keys", isFolder: true),
            PrivatePath(path: keys.workersPath, what: "The folder of the workers' keys", isFolder: true),
        ]
            + secrets.sorted().filter { $0.hasSuffix(".secret") }.map {
                PrivatePath(path: "\(keys.path)/\($0)", what: "The key file", isSecret: true)
            }
            + (messaging.keyFile.map { [PrivatePath(path: $0, what: "The key file", isSecret: true)] } ?? [])
    }

    /// Others may read the folder of the database, but not write to it.
    private static func folderFinding(_ path: String) -> Finding? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        guard access(path, W_OK | X_OK) == 0 else {
            return .problem(
                "The folder of the database, \(path), cannot be written by this account.",
                "Run as the account that Backline runs under, or give the folder to it.")
        }
        guard status.st_mode & 0o022 != 0 else { return nil }
        return .problem(
            "The folder of the database, \(path), can be changed by others (mode \(PrivatePath.text(status.st_mode))).",
            "chmod go-w '\(path)'")
    }
}

/// A file or folder that only Backline's account may access.
struct PrivatePath {
    var path: String
    /// Its description, which begins a sentence.
    var what: String
    var isFolder = false
    /// Whether Backline only reads it, so that it may belong to another account.
    var isSecret = false

    /// `nil` when nothing is wrong or the file does not exist.
    var finding: Finding? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let mode = Self.text(status.st_mode)
        guard isSecret || status.st_uid == geteuid() else {
            return .problem(
                "\(what) \(path) belongs to user \(status.st_uid), and this is user \(geteuid()).",
                "Run everything as one account; here, change the owner: chown \(geteuid()) '\(path)'")
        }
        let remedy = "chmod \(isFolder ? "700" : "600") '\(path)'"
        if status.st_mode & 0o007 != 0 {
            return .problem("\(what) \(path) is open to everybody on this machine (mode \(mode)).", remedy)
        }
        if status.st_mode & 0o070 != 0 {
            return .warning("\(what) \(path) is open to its group (mode \(mode)).", remedy)
        }
        return nil
    }

    static func text(_ mode: mode_t) -> String { "0" + String(mode & 0o7777, radix: 8) }
}
