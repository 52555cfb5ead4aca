import Model
import TestSupport
import Testing

@testable import Library
@testable import LibrarySync
@testable import LibraryWriting

@Suite("Entries that a service lists but does not return")
struct ForbiddenEntriesTests {
    @Test("Forbidden entries are requested again with the next version")
    func nextVersionRequestsEntries() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            let scan = try await library.scan(.spotify)
            for (version, isAsked) in [("v1", true), ("v1", false), ("v2", true)] {
                let listed = SourcePlaylist.made(version, count: 30)
                let due = try await database.write {
                    try $0.playlists.storePlaylists(
                        [listed], by: scan, isWhole: false, now: TestLibrary.moment(1)
                    ).toRead
                }
                #expect(due.isEmpty != isAsked)
                guard let first = due.first else { continue }
                try await database.write {
                    try $0.playlists.setEntriesForbidden(of: first, by: scan, now: TestLibrary.moment(1))
                }
            }
            let counts = try await database.read { reader in
                try reader.map("SELECT entry_count FROM library_playlists") { try $0["entry_count"] as Int }
            }
            #expect(counts == [30])
        }
    }

    /// Lists the playlist, and refuses its entries if they are due.
    ///
    /// - Returns: whether they were due.
    private func refuse(_ listed: SourcePlaylist, in library: TestLibrary, at seconds: Int64) async throws -> Bool {
        let scan = try await library.scan(.spotify)
        let now = TestLibrary.moment(seconds)
        return try await library.database.write { transaction in
            _ = try transaction.playlists.storePlaylists([listed], by: scan, isWhole: false, now: now)
            let due = try transaction.playlists.playlistsToRead(by: scan, after: 0, limit: 9)
            for one in due { try transaction.playlists.setEntriesForbidden(of: one, by: scan, now: now) }
            return !due.isEmpty
        }
    }

    @Test("Forbidden entries of an unchanged version are requested again after a week, whatever else has changed")
    func forbiddenForAWeek() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            let week: Int64 = 7 * 86_400
            var listed = SourcePlaylist.made("v1", count: 30)
            for (seconds, isDue) in [
                (0, true), (86_400, false), (week - 1, false), (week, true), (week + 1, false), (2 * week - 1, false),
                (2 * week, true),
                // The clock was ahead.
                (week, true),
            ] as [(Int64, Bool)] {
                listed.artworkURL = "https://pictures.example/\(seconds).jpg"
                #expect(try await refuse(listed, in: library, at: seconds) == isDue, "\(seconds)")
            }
            let one = SourcePlaylistEntry.made([.track(.made("s1"))])
            // The service finally returns them.
            let isChange = try await library.read(listed, one, .spotify, at: 3 * week)
            #expect(isChange == true)
            #expect(try await library.shownEntries() == ["track Airbag"])
            #expect(try await library.read(listed, one, .spotify, at: 4 * week - 1) == nil)
            // They are now read again like those of any playlist.
            #expect(try await library.read(listed, one, .spotify, at: 4 * week) == false)
            try await library.expectSound()
        }
    }

    @Test("Forbidden entries are requested again once the playlist has another owner, or collaborators")
    func forbiddenToStrangers() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            var listed = SourcePlaylist.made("v1", count: 30)
            (listed.ownerID, listed.isCollaborative) = ("eve", false)
            #expect(try await refuse(listed, in: library, at: 0))
            #expect(try await !refuse(listed, in: library, at: 1))
            listed.isCollaborative = true
            #expect(try await refuse(listed, in: library, at: 2))
            #expect(try await !refuse(listed, in: library, at: 3))
            listed.ownerID = "ada"
            #expect(try await refuse(listed, in: library, at: 4))
            #expect(try await !refuse(listed, in: library, at: 5))
        }
    }

    @Test("Forbidden entries of the user's own playlist are requested by the next sync")
    func forbiddenToTheOwner() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            var listed = SourcePlaylist.made("v1", count: 30)
            // An id of the account.
            listed.ownerID = TestLibrary.ownerID
            for seconds in [0, 1, 86_400] as [Int64] {
                let isAsked = try await refuse(listed, in: library, at: seconds)
                #expect(isAsked, "\(seconds)")
            }
            let one = SourcePlaylistEntry.made([.track(.made("s1"))])
            #expect(try await library.read(listed, one, .spotify, at: 86_401) == true)
            #expect(try await library.shownEntries() == ["track Airbag"])
        }
    }

    @Test("Forbidden entries are requested again once after a new consent")
    func forbiddenUntilConsent() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            let listed = SourcePlaylist.made("v1", count: 30)
            #expect(try await refuse(listed, in: library, at: 0))
            func connect(_ source: MusicSource) async throws {
                _ = try await database.write { transaction in
                    try transaction.syncs.submitSync(
                        afterConnecting: source, userID: library.userID, interval: nil, now: TestLibrary.moment(1)
                    ) { _ in UUIDv7.next() }
                }
            }
            try await connect(.appleMusic)
            #expect(try await !refuse(listed, in: library, at: 2))
            try await connect(.spotify)
            // A sync that ends before it requests them leaves that to the next one.
            let scan = try await library.scan(.spotify)
            _ = try await database.write {
                try $0.playlists.storePlaylists([listed], by: scan, isWhole: false, now: TestLibrary.moment(3))
            }
            #expect(try await refuse(listed, in: library, at: 4))
            #expect(try await !refuse(listed, in: library, at: 5))
        }
    }
}
