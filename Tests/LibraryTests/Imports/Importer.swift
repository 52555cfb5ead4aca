import DomainEvents
import Foundation
import LibraryFiles
import Model
import Synchronization
import TestSupport
import Testing

@testable import Library
@testable import LibraryImports
@testable import LibraryWriting
@testable import Storage

/// A user who imports files.
struct Importer {
    let library: TestLibrary
    let folder: TemporaryFolder

    var userID: String { library.userID }
    var database: Database { library.database }

    func begin(_ text: String, _ name: String = "a.csv") async throws -> LibraryID {
        let file = "\(UUIDv7.next()).upload"
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file(file)))
        return try await database.write {
            try $0.imports.begin(
                filename: name, file: file, bytes: text.utf8.count, userID: userID, now: TestLibrary.moment(0)
            ).id
        }
    }

    /// Records listens, in place of the domain that has them.
    typealias Record = @Sendable (ListensImported) throws -> ListensImported.Recorded

    /// - Parameter mostWrites: the number of writes after which the run ends as if it had crashed.
    func run(
        _ id: LibraryID, from progress: LibraryImportRun.Progress? = nil, mostWrites: Int = .max,
        quota: ImportQuota = ImportQuota(), record: Record? = nil
    ) async throws -> LibraryImport? {
        if let record {
            database.register([EventSubscriber(ListensImported.self) { $2 = try record($0) }])
        }
        let writes = Mutex(0)
        let kept = Mutex(progress)
        let run = LibraryImportRun(
            id, userID: userID, database: database, path: { [folder] in folder.file($0) },
            quota: quota,
            checkpoint: { rows in
                let number = writes.withLock { count in
                    count += 1
                    return count
                }
                guard number <= mostWrites else { throw Crash(progress: kept.withLock { $0 }) }
                let written = try await database.write { try rows($0) }
                kept.withLock { $0 = written.progress }
                return written
            })
        return try await run.run(from: progress)
    }

    @discardableResult
    func read(_ text: String, _ name: String = "a.csv") async throws -> LibraryImport {
        try #require(try await run(try await begin(text, name)))
    }

    func undo(_ id: LibraryID) async throws {
        #expect(try await database.write { try $0.imports.undo(id, userID: userID) })
        let removal = LibraryImportRemoval(
            id, userID: userID,
            checkpoint: { step in _ = try await database.write { try step($0) } })
        try await removal.run(database: database)
        #expect(try await one(id)?.state == .undone)
    }

    func one(_ id: LibraryID) async throws -> LibraryImport? {
        try await database.read { try $0.imports.one(id, userID: userID) }
    }

    /// The playlists with the titles of their entries.
    func lists() async throws -> [String] {
        try await database.read { reader in
            try reader.playlists.exportedPlaylists(userID: userID, after: 0, limit: 9).map { list in
                let entries = try reader.playlists.exportedEntries(of: list, userID: userID, after: -1, limit: 9)
                return list.name + ": " + entries.map { $0.track?.title ?? "?" }.joined(separator: ", ")
            }.sorted()
        }
    }

    func titles() async throws -> [String] {
        try await library.tracks().map(\.values.title).sorted()
    }
}

struct Crash: Error {
    var progress: LibraryImportRun.Progress?
}

func withImporter(_ body: (Importer) async throws -> Void) async throws {
    try await withDatabase { database, _ in
        let library = try await TestLibrary.new(in: database)
        try await body(Importer(library: library, folder: try TemporaryFolder()))
    }
}
