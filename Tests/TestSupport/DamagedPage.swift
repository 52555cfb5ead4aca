import Foundation
import Storage

extension Database {
    /// Overwrites the first page that contains a text.
    package func damage(pageWith text: String) async throws {
        let other = try Database.open(path: path, schema: schema)
        defer { other.close() }
        let size = try await emptyLog()
        guard let found = try Data(contentsOf: URL(fileURLWithPath: path)).firstRange(of: Data(text.utf8)) else {
            throw NotInFile(text: text)
        }
        try await overwrite(page: found.lowerBound / size + 1, size: size, thenWriteBy: other)
    }

    /// Overwrites the root page of a table.
    package func damage(rootPageOf table: String) async throws {
        let other = try Database.open(path: path, schema: schema)
        defer { other.close() }
        let size = try await emptyLog()
        let page: Int? = try await read { reader in
            try reader.row(.onlySQLite("SELECT rootpage FROM sqlite_master WHERE name = \(table)"))?["rootpage"]
        }
        guard let page else { throw NotInFile(text: table) }
        try await overwrite(page: page, size: size, thenWriteBy: other)
    }

    /// Checkpoints the log, so that all pages are read from the file and none from the log.
    ///
    /// - Returns: the size of a page.
    private func emptyLog() async throws -> Int {
        repeat {
            try await checkpoint(truncates: true)
        } while logSize > 0
        return try await read { try $0.row(.onlySQLite("PRAGMA page_size"))?["page_size"] } ?? 0
    }

    /// - Parameter other: another connection, whose commit makes each connection drop its cached pages. A connection
    ///   that is opened only afterwards would also write the first page to the log.
    private func overwrite(page: Int, size: Int, thenWriteBy other: Database) async throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.seek(toOffset: UInt64((page - 1) * size))
        try file.write(contentsOf: Data(repeating: 0xa5, count: size))
        try file.close()
        try await other.write { try $0.run("UPDATE change_sequence SET value = value + 1") }
    }
}

private struct NotInFile: Error {
    var text: String
}
