import Foundation
import Model

/// Rewrites a database without the free space that deleted rows left, while no process uses it.
package enum DatabaseCompaction {
    package struct Outcome: Sendable, Equatable {
        /// The size of the file and its log before, in bytes.
        package let before: Int64
        /// The size of the file afterwards, in bytes. It has no log.
        package let after: Int64
    }

    /// The space to leave free on the disk besides the new file, in bytes.
    private static let reserve: Int64 = 64 << 20

    /// Compacts the database at `path`.
    ///
    /// At every moment, even after a power failure, `path` is the whole old file or the whole new one: the rows are
    /// written to a file beside it, which is checked and synced and then renamed. The write lock and the gateway's lock
    /// are held throughout, so that starting processes wait. The new file contains no remains of deleted rows.
    ///
    /// - Parameters:
    ///   - schema: the schema of this program.
    ///   - gatewayTimeout: how long to wait for a gateway that is shutting down.
    /// - Throws: ``BackupError``; `inUse` when a process has the database open, `noRoom` when the disk has less free
    ///   space than the rows take. ``GatewayRunning``. ``StorageError``; `busy` when the write lock is not free within
    ///   five seconds.
    package static func compact(
        _ path: String, schema: Schema, gatewayTimeout: Duration = Database.gatewayTimeout
    ) async throws -> Outcome {
        guard DatabaseBackup.exists(path) else { throw BackupError.missing(path: path) }
        let gateway = try await GatewayLock.take(databasePath: path, timeout: gatewayTimeout)
        defer { withExtendedLifetime(gateway) {} }
        return try await OfflineDatabase.withLock(of: path) {
            // The log and the new file belong beside the file itself, not beside a link to it.
            let path = DatabasePath.resolved(path)
            let before = size(path) + size(path + "-wal")
            guard try OfflineDatabase.mergeLog(of: path) else {
                throw BackupError.damaged(path: path, findings: ["the log cannot be written into the file"])
            }
            try await requireRoom(for: path)
            let staged = DatabaseBackup.temporaryName(beside: path)
            let copy = try await DatabaseCopy.make(of: path, at: staged, schema: schema)
            do {
                try OfflineDatabase.preserveOwner(of: path, at: staged)
                try OfflineDatabase.clearLog(of: path)
                guard rename(staged, path) == 0 else { throw DatabaseCopy.cannotWrite(path) }
            } catch {
                unlink(staged)
                throw error
            }
            try DatabaseBackup.syncFolder(of: path)
            return Outcome(before: before, after: copy.bytes)
        }
    }

    /// Throws unless the pages in use fit on the disk once more.
    private static func requireRoom(for path: String) async throws {
        let database = try ReadOnlyDatabase.open(path: path)
        defer { database.close() }
        let used = try await database.read { reader in
            func number(_ name: StaticString) throws -> Int64 {
                try reader.row(.onlySQLite(SQL(stringLiteral: "PRAGMA \(name)")))?["\(name)"] ?? 0
            }
            return (try number("page_count") - number("freelist_count")) * (try number("page_size"))
        }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        var space = statvfs()
        guard statvfs(folder, &space) == 0 else { throw DatabaseCopy.cannotWrite(folder) }
        let free = Int64(space.f_bavail) * Int64(space.f_frsize)
        guard free >= used + reserve else {
            throw BackupError.noRoom(folder: folder, needed: used + reserve, free: free)
        }
    }

    private static func size(_ path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }
}
