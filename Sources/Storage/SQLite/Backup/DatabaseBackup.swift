import Foundation

/// Backups of a database that may be in use by any number of processes.
package enum DatabaseBackup {
    /// Writes a backup of the database at `source` to `destination`. The file appears there once it is complete,
    /// checked and durable.
    ///
    /// - Parameters:
    ///   - replaces: whether to replace an existing file.
    ///   - schema: the schema of this program.
    /// - Throws: ``BackupError``, ``StorageError``.
    package static func write(
        _ source: String, to destination: String, replaces: Bool, schema: Schema
    ) async throws -> DatabaseCopy {
        guard access(source, F_OK) == 0 else { throw BackupError.missing(path: source) }
        let files = ["", "-wal", "-shm", WriteLock.suffix, GatewayLock.suffix]
            .map { DatabasePath.resolved(source) + $0 }
        guard !files.contains(where: { isSameFile($0, destination) }) else {
            throw BackupError.isTheDatabase(path: destination)
        }
        guard replaces || !exists(destination) else { throw BackupError.exists(path: destination) }
        let partial = temporaryName(beside: destination)
        let copy = try await DatabaseCopy.make(of: source, at: partial, schema: schema)
        do {
            try move(partial, to: destination, replaces: replaces)
        } catch {
            unlink(partial)
            throw error
        }
        try syncFolder(of: destination)
        return copy
    }

    /// Renames a file; refuses to replace another one unless `replaces` is set.
    private static func move(_ path: String, to destination: String, replaces: Bool) throws(BackupError) {
        if replaces {
            guard rename(path, destination) == 0 else { throw DatabaseCopy.cannotWrite(destination) }
            return
        }
        // link(2) fails if the name is taken; rename(2) does not.
        if link(path, destination) == 0 {
            unlink(path)
            return
        }
        guard errno != EEXIST else { throw .exists(path: destination) }
        // Some file systems, such as those of USB sticks, have no hard links.
        guard !exists(destination) else { throw .exists(path: destination) }
        guard rename(path, destination) == 0 else { throw DatabaseCopy.cannotWrite(destination) }
    }

    static func temporaryName(beside path: String) -> String {
        "\(path).partial-\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
    }

    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    private static func isSameFile(_ left: String, _ right: String) -> Bool {
        var (one, other) = (stat(), stat())
        guard stat(left, &one) == 0, stat(right, &other) == 0 else {
            return URL(fileURLWithPath: left).standardizedFileURL == URL(fileURLWithPath: right).standardizedFileURL
        }
        return one.st_ino == other.st_ino && one.st_dev == other.st_dev
    }

    /// Syncs the folder of a file, so that the names in it are durable.
    static func syncFolder(of path: String) throws(BackupError) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw DatabaseCopy.cannotWrite(folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw DatabaseCopy.cannotWrite(folder) }
    }
}
