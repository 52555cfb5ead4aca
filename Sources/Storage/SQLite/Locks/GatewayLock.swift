import Foundation
import Model

/// The right to be the one gateway of a database, and to migrate it: an exclusive `flock` on a file beside the
/// database.
///
/// The endpoint's lock is not enough: two gateways with different endpoints would each release the runs of the other's
/// workers. The kernel releases the lock however its holder exits. The file is never deleted: otherwise two processes
/// could lock two files of one name.
package final class GatewayLock: Sendable {
    package static let suffix = ".gateway"

    private let descriptor: Int32

    /// Takes the lock if it is free.
    ///
    /// - Throws: ``GatewayRunning`` when another process has it; ``StorageError`` when the file cannot be opened.
    init(databasePath: String) throws {
        let database = DatabasePath.resolved(databasePath)
        let path = database + Self.suffix
        let file = DatabasePath.open(path, ownedAs: [database, DatabasePath.folder(of: database)])
        guard file >= 0 else { throw Self.failure(path) }
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            if code == EINTR { continue }
            close(file)
            guard code == EWOULDBLOCK else {
                throw StorageError.cannotOpen(path: path, reason: String(cString: strerror(code)))
            }
            throw GatewayRunning(databasePath: databasePath, holder: FileLock.holder(ofFlock: path))
        }
        descriptor = file
    }

    deinit {
        close(descriptor)
    }

    /// Takes the lock; waits for at most `timeout`.
    package static func take(databasePath: String, timeout: Duration) async throws -> GatewayLock {
        let deadline = MonotonicInstant.now().advanced(by: timeout)
        while true {
            do {
                return try GatewayLock(databasePath: databasePath)
            } catch let error as GatewayRunning {
                guard MonotonicInstant.now() < deadline else { throw error }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    private static func failure(_ path: String) -> StorageError {
        let code = errno
        return StorageError(code) ?? .cannotOpen(path: path, reason: String(cString: strerror(code)))
    }
}

/// Another process is the gateway of the database, or migrates it.
package struct GatewayRunning: Error, Sendable, Equatable, CustomStringConvertible {
    package let databasePath: String
    /// `nil` for a process that cannot be seen, such as one in another container.
    package let holder: Int32?

    package var description: String {
        let process = holder.flatMap { $0 > 0 ? "process \($0)" : nil } ?? "a process in another container"
        return "The database \(databasePath) already has a gateway: \(process). Only one gateway may use a database, "
            + "and only it may migrate it. Stop that process first, or set database.path to another file."
    }
}
