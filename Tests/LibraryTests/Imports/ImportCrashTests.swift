import Model
import Synchronization
import TestSupport
import Testing

@testable import LibraryImports
@testable import Storage

@Suite("Imports that are interrupted", .timeLimit(.minutes(5)))
struct ImportCrashTests {
    @Test("Listens that take several transactions are recorded once each, even after a crash", arguments: [1, 7, 250])
    func listensOfSeveralTransactions(size: Int) async throws {
        try await withImporter { person in
            let rows = (0..<90).map { number in
                // Every third row has no title, and is skipped.
                "2024-01-01T00:00:00Z,\(number % 3 == 2 ? "" : "Song \(number)"),Ann\n"
            }.joined()
            let id = try await person.begin("listened_at,title,artist\n" + rows)
            let calls = Mutex<[String]>([])
            let record: Importer.Record = { part in
                let some = part.listens.prefix(size)
                calls.withLock { $0 += some.map(\.title) }
                return .init(new: some.count, taken: some.count)
            }
            let crash = await #expect(throws: Crash.self) {
                try await person.run(id, mostWrites: 60 / size / 2, record: record)
            }
            let ended = try await person.run(id, from: crash?.progress, record: record)
            #expect(ended?.counts == .init(new: 60, joined: 0, skipped: 30) && ended?.state == .complete)
            #expect(calls.withLock { $0 } == (0..<90).filter { $0 % 3 < 2 }.map { "Song \($0)" })
            let skips = try await person.database.read { try $0.imports.skips(of: id, userID: person.userID) }
            #expect(skips.map(\.line) == (0..<30).map { $0 * 3 + 4 })
        }
    }

    @Test("After a crash at any write, the next run counts each row once", arguments: [0, 1, 2, 3, 4])
    func rowsAfterAnyCrash(writes: Int) async throws {
        let rows = (0..<120).map { "Song \($0),Ann,\($0 < 60 ? "" : "P")" } + [",none,"]
        let text = "Title,Artist,Playlist\n" + rows.joined(separator: "\n")
        try await withImporter { person in
            let id = try await person.begin(text)
            let crash = await #expect(throws: Crash.self) { try await person.run(id, mostWrites: writes) }
            let ended = try await person.run(id, from: crash?.progress)
            #expect(ended?.counts == .init(new: 120, joined: 0, skipped: 1) && ended?.state == .complete)
            #expect(try await person.library.rows()["library_playlist_entries"]?.count == 60)
            try await person.library.expectSound()
        }
    }

    @Test("A run that is cancelled while it reads ends, and says nothing about the file")
    func cancelledRun() async throws {
        try await withImporter { person in
            let rows = String(repeating: "Song,Ann\n", count: 200_000)
            let id = try await person.begin("Title,Artist\n\(rows)")
            var progress = LibraryImportRun.Progress()
            progress.items = 150_000
            let task = Task { [progress] in try await person.run(id, from: progress) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await person.one(id)?.state == .queued)
        }
    }
}
