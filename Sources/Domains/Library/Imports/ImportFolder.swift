import Dispatch
import Foundation
import Model
import Storage

/// Removals of many files wait for the disk here.
private let removalQueue = DispatchQueue(label: "backline.import-removals")

/// The folder of uploaded import files. Its synchronous members block on disk I/O, so call them from a dedicated thread.
package struct ImportFolder: Sendable {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    package struct File: Sendable, Equatable {
        package var name: String
        package var bytes: Int
    }

    package func path(of file: String) -> String { (path as NSString).appendingPathComponent(file) }

    /// Creates an empty file that no other account on the machine can read.
    ///
    /// - Returns: the file's name, and the descriptor to write to.
    /// - Throws: `POSIXError`.
    package func create() throws -> (name: String, descriptor: Int32) {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let name = "\(UUIDv7.next()).upload"
        let descriptor = open(path(of: name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return (name, descriptor)
    }

    /// Deletes a file; has no effect if it does not exist.
    package func remove(_ name: String) { unlink(path(of: name)) }

    /// Removes the files of a removed person that their imports still name. It leaves them when the database cannot be
    /// read: the gateway removes files that no import needs every minute.
    package func removeFiles(ofUser userID: String, in database: Database) async {
        guard let files = try? await database.read({ try $0.imports.files(userID: userID) }) else { return }
        await withCheckedContinuation { continuation in
            removalQueue.async {
                for file in files { remove(file) }
                continuation.resume()
            }
        }
    }

    package func files() -> [File] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasSuffix(".upload") }.compactMap { name in
            var facts = stat()
            guard stat(path(of: name), &facts) == 0 else { return nil }
            return File(name: name, bytes: Int(facts.st_size))
        }
    }

    /// The number of free bytes on the folder's disk; `nil` if the system does not report it.
    package var freeBytes: Int? {
        var space = statvfs()
        guard statvfs(path, &space) == 0 else { return nil }
        return Int(space.f_bavail).multiplied(by: Int(space.f_frsize), atMost: .max) ?? .max
    }
}
