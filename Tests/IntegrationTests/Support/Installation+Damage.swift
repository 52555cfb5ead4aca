import Foundation
import TestProcesses
import TestSupport

extension Installation {
    /// Overwrites the page that a table begins with.
    func damage(rootPageOf table: String) async throws {
        try await withDatabase { try await $0.damage(rootPageOf: table) }
    }

    /// Overwrites the first page that holds a text.
    func damage(pageWith text: String) async throws {
        try await withDatabase { try await $0.damage(pageWith: text) }
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
