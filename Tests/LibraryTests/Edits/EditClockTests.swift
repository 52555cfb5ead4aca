import Model
import TestSupport
import Testing

@testable import Library
@testable import LibraryEdits
@testable import LibraryWriting
@testable import Storage

@Suite("Edits after a clock was ahead, and after a backup was restored")
struct EditClockTests {
    /// Ten years.
    private static let ahead = Duration.seconds(315_360_000)

    @Test("A time in the future delays nothing for longer than the current time would")
    func lostAnswers() async throws {
        try await withDatabase { database, _ in
            let fixture = try await EditFixture(.spotify, .new(in: database))
            let id = try await fixture.readPlaylist([1, 2])
            let begun = fixture.now
            fixture.state.withLock { $0.clock = begun.advanced(by: Self.ahead) }
            let first = try await fixture.begin(.addTracks(try await fixture.references([3]), playlist: id))
            try await fixture.finish(first)
            fixture.fail(call: 2, .answerLost)
            let second = try await fixture.begin(.addTracks(try await fixture.references([4]), playlist: id))
            let ended = try await fixture.finish(second) { count in
                if count == 1 { fixture.state.withLock { $0.clock = begun } }
            }
            // The clock is right again when the answer is lost, and the next run is not delayed.
            #expect(ended.state == .complete && fixture.numbers("p0") == [1, 2, 3, 4])
            #expect(begun.duration(to: fixture.now) < .seconds(120))
            // The playlist is not held for ten years.
            let (now, library) = (fixture.now, fixture.library)
            let isHeld = try await database.read {
                try !$0.editLocks.locks(of: .playlists, library: library.libraryID, at: now).isEmpty
            }
            #expect(!isHeld)
        }
    }

    @Test("Holds from a clock that was ahead are ignored")
    func locksFromTheFuture() async throws {
        try await withDatabase { database, _ in
            let fixture = try await EditFixture(.spotify, .new(in: database))
            let begun = fixture.now
            fixture.state.withLock { $0.clock = begun.advanced(by: Self.ahead) }
            let edit = try await fixture.begin(.unsave(try await fixture.references([3]), .spotify))
            try await fixture.finish(edit)
            let library = fixture.library.libraryID
            func held(at moment: Timestamp) async throws -> Int {
                try await database.read { try $0.editLocks.locks(of: .tracks, library: library, at: moment).count }
            }
            #expect(try await held(at: begun.advanced(by: Self.ahead)) == 1)
            #expect(try await held(at: begun) == 0)
        }
    }

    // MARK: Restored backups

    /// Resets the library to the state before an edit, as if an earlier backup had been restored.
    private func restore(_ edit: LibraryEdit, in fixture: EditFixture) async throws {
        let now = fixture.now
        try await fixture.library.database.write { transaction in
            try transaction.run(
                """
                UPDATE library_edits SET state = 'queued', done = 0, finished_at = NULL WHERE id = \(edit.id.key)
                """)
            try transaction.run(
                """
                UPDATE library_edit_steps SET state = 'planned', before = NULL, after = NULL, sent_at = NULL,
                    lost_at = NULL, answered_at = NULL
                WHERE edit_id = \(edit.id.key)
                """)
            try transaction.run("INSERT INTO database_restores (restored_at) VALUES (\(now))")
        }
    }

    @Test("Songs that were added since the backup are not added again", arguments: [true, false])
    func addedSinceABackup(isMade: Bool) async throws {
        try await withDatabase { database, _ in
            let fixture = try await EditFixture(.spotify, .new(in: database))
            let id = try await fixture.readPlaylist([1, 2])
            let version = try #require(fixture.service.content.playlists.first?.version)
            let songs = Array(10..<240)
            let edit = try await fixture.begin(.addTracks(try await fixture.references(songs), playlist: id))
            if isMade { try await fixture.finish(edit) }
            try await restore(edit, in: fixture)
            try await database.write {
                try $0.run("UPDATE library_playlists SET upstream_version = \(version), is_due = 0")
            }
            let ended = try await fixture.finish(edit)
            #expect(ended.state == .complete && fixture.questions == 0)
            #expect(fixture.numbers("p0") == [1, 2] + songs)
            #expect(fixture.calls == 3)
        }
    }

    @Test("The user is asked about a playlist that was created since the backup", arguments: EditFixture.sources)
    func createdSinceABackup(source: MusicSource) async throws {
        try await withDatabase { database, _ in
            let fixture = try await EditFixture(source, .new(in: database))
            fixture.state.withLock { $0.wasMade = true }
            let edit = try await fixture.begin(
                .createPlaylist(
                    name: "New", description: nil, isPublic: false, tracks: try await fixture.references([1, 2]), source
                ))
            let made = try await fixture.finish(edit)
            let key = try #require(made.playlistID).key
            try await restore(made, in: fixture)
            try await database.write {
                try $0.run(
                    "UPDATE library_playlists SET source_id = 'new:1', upstream_version = NULL WHERE id = \(key)")
            }
            let ended = try await fixture.finish(edit)
            #expect(ended.state == .complete)
            #expect(fixture.questions > 0)
            #expect(fixture.service.content.playlists.count == 1)
            #expect(fixture.numbers("p0") == [1, 2])
        }
    }

    @Test("Entries that were removed since the backup are not removed again")
    func removedSinceABackup() async throws {
        try await withDatabase { database, _ in
            let fixture = try await EditFixture(.spotify, .new(in: database))
            let id = try await fixture.readPlaylist([1, 2, 1, 3])
            let version = try #require(try await fixture.playlist("Mix")).version
            let edit = try await fixture.begin(.removeEntries(positions: [0], version: version, playlist: id))
            try await fixture.finish(edit)
            try await restore(edit, in: fixture)
            try await database.write { try $0.run("UPDATE library_playlists SET upstream_version = 'snapshot-1'") }
            #expect(try await fixture.finish(edit).error?.code == "playlistChanged")
            #expect(fixture.numbers("p0") == [2, 1, 3])
        }
    }
}
