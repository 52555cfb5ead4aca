import Foundation
import Model

/// A worker's name, stable over its restarts: the first free of `concert-worker-1`, `-2`, ….
///
/// A lock file beside the database keeps it for one living process at a time, so the gateway
/// knows that what an earlier holder of the name ran is over. The kernel frees it when the
/// process ends, however it ends.
package enum WorkerName {
    /// Takes a name for the rest of this process's life.
    ///
    /// - Parameters:
    ///   - wanted: a name from the configuration; taken as it is, and refused when another process has it.
    ///   - folder: made when missing.
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
            "Another worker runs under the name \(name). Give this one another (worker.name), or none to have one chosen."
        case .noLockFile(let path, let reason):
            "The worker's lock file \(path) cannot be made: \(reason)"
        }
    }
}
