import CSQLite
import Model

extension Database {
    /// What a call of ``cleanPages(from:count:within:)`` did.
    package struct CleaningResult: Sendable {
        /// The page to continue with, from 1; `nil` at the end of the file.
        package let next: Int64?
        /// The number of pages in which something was overwritten.
        package let cleaned: Int
        /// The time that the write lock was held.
        package let held: Duration
    }

    /// The most pages that one step of the cleaning overwrites, because they are all synced before it ends: 1 MiB.
    static let maximumCleaned = 256

    /// Checkpoints the log and truncates it to nothing, so that neither the file nor the log still contains a row that
    /// was deleted before, and clears the mark that this is due (``CleaningState/logDueSince``). Only the gateway may
    /// call this.
    ///
    /// The pages in the caches of connections also contain copies of deleted rows, and the next change of such a page
    /// would write them to the log. Truncating the log makes every other connection read its pages again; this method
    /// drops the cache of its own connection.
    ///
    /// - Returns: `false` when a reader still needs the log, or another checkpoint is under way.
    package func truncateLog() async throws -> Bool {
        await waitForCheckpoint()
        return try await maintain { connection in
            guard try connection.moveLog(truncates: true) else { return false }
            sqlite3_db_release_memory(connection.database.sqliteConnection)
            try connection.commitMaintenance("UPDATE cleaning SET log_due_since = NULL")
            return true
        }.value
    }

    /// Performs one step of cleaning the file: overwrites the unused bytes of pages, syncs the file, and stores the
    /// page to continue with (``CleaningState/nextPage``). The step with the last page also marks the log for
    /// truncation. Only the gateway may call this.
    ///
    /// It also cleans pages that have a newer copy in the log. That is safe, because readers of the older copy do not
    /// look at unused bytes. No checkpoint runs meanwhile, so that no page changes between reading and writing it.
    ///
    /// - Parameters:
    ///   - first: the page to begin with, from 1.
    ///   - count: the most pages; `nil` for no limit.
    ///   - time: the step ends after this time. It also ends after ``maximumCleaned`` pages with something to
    ///     overwrite, because most of the time is spent on syncing those.
    /// - Returns: `nil` when a checkpoint is under way.
    /// - Throws: ``StorageError``.
    package func cleanPages(
        from first: Int64, count: Int? = nil, within time: Duration = StepSize.goal
    ) async throws -> CleaningResult? {
        await waitForCheckpoint()
        let (pages, held) = try await maintain { [path] connection -> (next: Int64?, cleaned: Int)? in
            guard let file = connection.file else {
                throw StorageError.cannotOpen(path: path, reason: "it was not opened through ZeroingVFS")
            }
            guard try file.lockCheckpoints() else { return nil }
            let (next, cleaned): (Int64?, Int)
            do {
                defer { file.unlockCheckpoints() }
                (next, cleaned) = try file.cleanPages(from: first, count: count, within: time)
                if cleaned > 0 { try file.sync() }
            }
            // The caches of connections and the log still contain the pages as they were before.
            let due: Timestamp? = next == nil ? .now() : nil
            try connection.commitMaintenance(
                "UPDATE cleaning SET next_page = \(next), log_due_since = COALESCE(log_due_since, \(due))")
            return (next, cleaned)
        }
        return pages.map { CleaningResult(next: $0.next, cleaned: $0.cleaned, held: held) }
    }
}

extension SQLiteConnection {
    /// Checkpoints the log.
    ///
    /// - Parameter truncates: also truncates it to nothing.
    /// - Returns: `false` if a reader still needs a part of the log.
    func moveLog(truncates: Bool) throws -> Bool {
        let mode = truncates ? "TRUNCATE" : "PASSIVE"
        // A wait for a reader would block the writers of all processes.
        _ = try rows(.onlySQLite("PRAGMA busy_timeout = 0"))
        defer { _ = try? rows(.onlySQLite("PRAGMA busy_timeout = 5000")) }
        let answer = try rows(.onlySQLite(SQL(stringLiteral: "PRAGMA wal_checkpoint(\(mode))")))
        guard let answer = answer.first, try answer["busy"] as Int == 0 else { return false }
        // A passive checkpoint is never busy: it leaves what a reader needs.
        return try answer["log"] as Int == answer["checkpointed"] as Int
    }

    /// Commits a transaction of one statement.
    fileprivate func commitMaintenance(_ sql: SQL) throws {
        try begin()
        try run(sql)
        try commit()
    }
}

extension ZeroingVFS.File {
    /// The number of pages that one call reads.
    private static let readCount = 64

    /// - Returns: the page to continue with, `nil` at the end of the file, and the number of pages with something to
    ///   overwrite.
    fileprivate func cleanPages(
        from first: Int64, count: Int?, within time: Duration
    ) throws -> (next: Int64?, cleaned: Int) {
        let began = MonotonicInstant.now()
        let size = try size()
        guard let pageSize = try pageSize(fileSize: size) else { return (nil, 0) }
        let end = size / Int64(pageSize)
        guard end < CleaningState.maximumPages else { return (nil, 0) }
        var (page, cleaned) = (first - 1, 0)
        let last = count.map { min(end, page + Int64($0)) } ?? end
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.readCount * pageSize, alignment: 16)
        defer { buffer.deallocate() }
        while page < last {
            let part = Int(min(Int64(Self.readCount), last - page))
            let bytes = UnsafeMutableRawBufferPointer(rebasing: buffer[..<(part * pageSize)])
            try read(bytes, at: page * Int64(pageSize))
            for index in 0..<part {
                let content = UnsafeRawBufferPointer(rebasing: bytes[(index * pageSize)..<((index + 1) * pageSize)])
                if try clean(content, number: page + Int64(index)) { cleaned += 1 }
            }
            page += Int64(part)
            if cleaned >= Database.maximumCleaned || began.duration(to: .now()) >= time { break }
        }
        return (page < end ? page + 1 : nil, cleaned)
    }

    /// Overwrites only the unused bytes, because others may be reading the page.
    ///
    /// - Parameter number: the number of the page, from 0.
    /// - Returns: whether something was overwritten.
    private func clean(_ page: UnsafeRawBufferPointer, number: Int64) throws -> Bool {
        guard let tree = BTreePage(page, isFirst: number == 0) else { return false }
        var found = false
        try tree.forEachLeftover { range in
            found = true
            try withUnsafeTemporaryAllocation(byteCount: range.count, alignment: 16) { zeros in
                zeros.initializeMemory(as: UInt8.self, repeating: 0)
                try write(UnsafeRawBufferPointer(zeros), at: number * Int64(page.count) + Int64(range.lowerBound))
            }
        }
        return found
    }

    /// The page size in the file's header; `nil` for a file without one.
    private func pageSize(fileSize: Int64) throws -> Int? {
        guard fileSize >= 100 else { return nil }
        var header: (UInt8, UInt8) = (0, 0)
        try withUnsafeMutableBytes(of: &header) { try read($0, at: 16) }
        let size = Int(header.0) << 8 | Int(header.1)
        return size == 1 ? 65_536 : size
    }
}
