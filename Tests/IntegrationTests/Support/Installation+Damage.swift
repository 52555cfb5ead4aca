import Foundation
import TestProcesses
import TestSupport

extension Installation {
    /// Overwrites the first page of a table.
    func damage(rootPageOf table: String) async throws {
        try await withDatabase { try await $0.damage(rootPageOf: table) }
    }

    /// Overwrites the first page that contains a text.
    func damage(pageWith text: String) async throws {
        try await withDatabase { try await $0.damage(pageWith: text) }
    }
}

extension Data {
    /// Overwrites a part of a file with these bytes.
    func overwrite(_ path: String, at offset: Int) throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        defer { try? file.close() }
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: self)
    }
}
