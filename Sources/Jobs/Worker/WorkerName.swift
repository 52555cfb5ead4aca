import Foundation
import Model

/// A worker's name, stable across restarts: the first free one of `concert-worker-1`, `-2`, ….
///
/// A lock file beside the database reserves the name for one living process at a time, so that the gateway knows that
/// an earlier process of the name has ended. The kernel releases the lock when the process ends, however it ends
/// (`docs/decisions/003-worker-names-by-lock-file.md`).
package enum WorkerName {
    /// Claims a name for the rest of this process.
    ///
    /// - Parameters:
    ///   - wanted: the name from the configuration, if it has one.
    ///   - folder: the folder of lock files, which is made if it is missing.
    /// - Throws: ``WorkerNameError``.
    package static func claim(service: String, wanted: String?, folder: String) throws -> String {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        if let wanted {
            guard try lock(wanted, folder: folder) else { throw WorkerNameError.taken(wanted) }
            return wanted
        }
        for number in 1...1_024 {
            let name = "\(service)-\(number)"
            if try lock(name, folder: folder) { return name }
        }
        throw WorkerNameError.taken("\(service)-1…1024")
    }

    /// The descriptor stays open on purpose: the kernel closes it, and frees the name, with the process.
    private static func lock(_ text: String, folder: String) throws -> Bool {
        let path = "\(folder)/\(text).lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw WorkerNameError.noLockFile(path: path, reason: String(cString: strerror(errno)))
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return false
        }
        return true
    }
}

package enum WorkerNameError: Error, Sendable, Equatable, CustomStringConvertible {
    case taken(String)
    case noLockFile(path: String, reason: String)

    package var description: String {
        switch self {
        case .taken(let name):
            "Another worker runs under the name \(name). Set a different worker.name, or remove it to have one chosen."
        case .noLockFile(let path, let reason):
            "The worker's lock file \(path) cannot be opened or created: \(reason). Give this account "
                + "write access to its folder."
        }
    }
}
