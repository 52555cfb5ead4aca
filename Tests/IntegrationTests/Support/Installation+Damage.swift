import Foundation
import Storage
import Testing
import TestProcesses

extension Installation {
    /// Overwrites the page that a table begins with.
    func damage(rootPageOf table: String) async throws {
        let (page, size) = try await checkpointed { reader in
            let page: Int = try #require(
                try reader.row("SELECT rootpage FROM sqlite_master WHERE name = \(table)"))["rootpage"]
            return page
        }
        try Data(repeating: 0xa5, count: size).overwrite(databasePath, at: (page - 1) * size)
        try await invalidateCaches()
    }

    /// Overwrites the first page that holds a text.
    func damage(pageWith text: String) async throws {
        let (_, size) = try await checkpointed { _ in 0 }
        let found = try #require(
            try Data(contentsOf: URL(fileURLWithPath: databasePath)).firstRange(of: Data(text.utf8)))
        try Data(repeating: 0xa5, count: size).overwrite(databasePath, at: found.lowerBound / size * size)
        try await invalidateCaches()
    }

    /// Moves everything into the file first, so that it is read from there and not from the log.
    private func checkpointed(
        _ look: @escaping @Sendable (ReadTransaction) throws -> Int
    ) async throws -> (found: Int, pageSize: Int) {
        try await withDatabase { database in
            try await eventually("the log to be empty") {
                try await database.checkpoint(truncates: true)
                return database.logSize == 0
            }
            return try await database.read { reader in
                (try look(reader), try #require(try reader.row("PRAGMA page_size"))["page_size"])
            }
        }
    }

    /// A commit of one process makes the others read anew.
    private func invalidateCaches() async throws {
        _ = try await withDatabase { database in
            try await database.write { try $0.execute("UPDATE change_sequence SET value = value + 1") }
        }
    }
}

extension Data {
    /// Writes these bytes over what a file has there.
    func overwrite(_ path: String, at offset: Int) throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        defer { try? file.close() }
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: self)
    }
}
