import CSQLite
import GRDB
import Model

extension Database {
    /// How far ``cleanPages(from:count:)`` came.
    package struct CleanedPages: Sendable {
        /// `nil`: it was the end of the file.
        package let next: Int64?
        /// In how many pages there was something.
        package let cleaned: Int
        /// For how long the write lock was held.
        package let held: Duration
    }

    /// Moves the log into the file and cuts it off, so that neither keeps anything that was deleted before, and notes
    /// it (``CleaningState/logDueSince``). For the gateway alone.
    ///
    /// Pages that connections keep in memory hold copies as well, and come into the log again with the next change of
    /// such a page. Cutting off the log makes every other connection read its pages anew; this one drops its own.
    ///
    /// - Returns: whether it was done; `false` when a reader was in the way.
    package func cutOffLog() async throws -> Bool {
        try await maintain { transaction in
            guard try transaction.moveLog(truncates: true) else { return false }
            sqlite3_db_release_memory(transaction.connection.sqliteConnection)
            try transaction.commitMaintenance("UPDATE cleaning SET log_due_since = NULL")
            return true
        }
    }

    /// Overwrites what pages of the file hold and do not use, durably, and notes how far it came
    /// (``CleaningState/nextPage``); with the last page also that the log is to be cut off. For the gateway alone.
    ///
    /// Pages that the log has a newer copy of are cleaned too: whoever still reads the older one finds in it what was
    /// there. Nobody checkpoints meanwhile, so that no page changes between reading and writing it.
    ///
    /// - Parameters:
    ///   - first: the page to begin with, from 1.
    ///   - count: the most pages; at least 1.
    /// - Returns: `nil` when another program was moving the log.
    package func cleanPages(from first: Int64, count: Int) async throws -> CleanedPages? {
        try await maintain { [path] transaction in
            let began = MonotonicInstant.now()
            guard let file = CleanFiles.File(of: transaction.connection.sqliteConnection!) else {
                throw StorageError.cannotOpen(path: path, reason: "it was not opened by way of CleanFiles")
            }
            guard try file.lockCheckpoints() else { return nil }
            let (next, cleaned): (Int64?, Int)
            do {
                defer { file.unlockCheckpoints() }
                (next, cleaned) = try file.cleanPages(from: first, count: count)
                if cleaned > 0 { try file.sync() }
            }
            // Pages that connections keep in memory are as they were before, and so are those in the log.
            let due: Timestamp? = next == nil ? .now() : nil
            try transaction.commitMaintenance(
                "UPDATE cleaning SET next_page = \(next), log_due_since = COALESCE(log_due_since, \(due))")
            return CleanedPages(next: next, cleaned: cleaned, held: began.duration(to: .now()))
        }
    }
}

extension WriteTransaction {
    /// - Returns: whether all of the log was moved and, where that was asked for, cut off.
    func moveLog(truncates: Bool) throws -> Bool {
        let mode = truncates ? "TRUNCATE" : "PASSIVE"
        // Waiting for a reader would keep every writer of every process waiting.
        _ = try connection.backlineRows(.onlySQLite("PRAGMA busy_timeout = 0"))
        defer { _ = try? connection.backlineRows(.onlySQLite("PRAGMA busy_timeout = 5000")) }
        let answer = try connection.backlineRows(.onlySQLite(SQL(stringLiteral: "PRAGMA wal_checkpoint(\(mode))")))
        let isBlocked: Bool = try answer.first?["busy"] ?? true
        return !isBlocked
    }

    /// A transaction of one statement, within maintenance.
    fileprivate func commitMaintenance(_ sql: SQL) throws {
        try connection.beginTransaction(.immediate)
        try execute(sql)
        try connection.commit()
    }
}

extension CleanFiles.File {
    /// Pages that are read at once.
    private static let readCount = 64

    /// - Returns: the page after the last, `nil` at the end of the file, and in how many there was something.
    fileprivate func cleanPages(from first: Int64, count: Int) throws -> (next: Int64?, cleaned: Int) {
        let size = try size()
        guard let pageSize = try pageSize(fileSize: size) else { return (nil, 0) }
        let end = size / Int64(pageSize)
        guard end < CleaningState.maximumPages else { return (nil, 0) }
        var (page, cleaned) = (first - 1, 0)
        let last = min(end, page + Int64(count))
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
        }
        return (page < end ? page + 1 : nil, cleaned)
    }

    /// Overwrites the bytes alone that nothing uses, since others may be reading the page.
    ///
    /// - Parameter number: the page's, from 0.
    /// - Returns: whether there were any.
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

    /// As the file's header tells; `nil` for a file without one.
    private func pageSize(fileSize: Int64) throws -> Int? {
        guard fileSize >= 100 else { return nil }
        var header: (UInt8, UInt8) = (0, 0)
        try withUnsafeMutableBytes(of: &header) { try read($0, at: 16) }
        let size = Int(header.0) << 8 | Int(header.1)
        return size == 1 ? 65_536 : size
    }
}
