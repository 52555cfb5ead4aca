import Foundation
import Model
import TestSupport
import Testing

@testable import Library
@testable import LibraryDomain
@testable import LibrarySync
@testable import LibraryWriting
@testable import Storage

@Suite("Erasing a library")
struct LibraryErasureTests {
    /// The library's tables, and the one with the users, which the registry needs.
    private static let tables = PersonalTables(
        [
            PersonalTable(
                "users", keys: ["id"], owner: .person(column: "id"), erasure: .atEnd,
                export: .nothing(because: "not of this test"))
        ], .library)

    private static func writes(_ database: Database, _ size: Int) -> SteppedWrites {
        SteppedWrites(database, checkpoints: true, size: StepSize(units: size, maximum: size))
    }

    /// Saves, lists and searches texts that contain a word.
    private func fill(_ library: TestLibrary, with word: String) async throws {
        for source in MusicSource.services {
            let tracks = (0..<40).map { number -> SourceTrack in
                var track = SourceTrack.made(
                    "\(source.number)-\(number)", "\(word) \(number)", by: word, on: "\(word) album")
                track.genres = [word]
                track.composer = word
                return track
            }
            try await library.readWhole(tracks, source, at: 1)
            try await library.readWhole(Array(tracks.dropFirst(9)), source, at: 2)
            let scan = try await library.scan(source)
            try await library.database.write {
                _ = try $0.albums.storeAlbums(
                    [SourceAlbum(sourceID: "a", name: word, artist: word)], by: scan, isWhole: true,
                    now: TestLibrary.moment(3))
                let page = String(repeating: "\(word) ", count: 2_000)
                try $0.scans.storeFetchedPage(
                    page, at: FetchedPageSlot(offset: 50, place: 1), by: scan, now: TestLibrary.moment(3))
            }
            let entries = (0..<70).map { number -> SourcePlaylistEntry in
                let content: SourcePlaylistEntry.Content =
                    number.isMultiple(of: 2) ? .local(title: word) : .track(tracks[number / 2])
                return SourcePlaylistEntry(position: number, content: content, addedAt: nil)
            }
            try await library.read(SourcePlaylist(sourceID: "p", name: word), entries, source)
            try await library.read(SourcePlaylist(sourceID: "p", name: word), Array(entries.dropFirst()), source)
        }
    }

    @Test("No row is left, whatever the size of the steps", arguments: [1, 64, 4_000])
    func noRowRemains(size: Int) async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            let other = try await TestLibrary.new(in: database, name: "bob")
            try await fill(other, with: "Stays")
            let others = try await library.rows()
            try await fill(library, with: "Goes")
            let erased = try await Self.tables.eraseRows(
                of: library.userID, in: database, by: Self.writes(database, size))
            #expect(erased)
            var left = try await library.rows()
            // Only Bob's rows and the shared counters are left.
            left["library_keys"] = others["library_keys"]
            for table in TestLibrary.tables where table != "libraries" {
                #expect(left[table] == others[table], "\(table)")
            }
            #expect(left["libraries"]?.count == 1)
            try await other.expectSound()
            let again = try await Self.tables.eraseRows(
                of: library.userID, in: database, by: Self.writes(database, size))
            #expect(!again)
        }
    }

    @Test("No byte of a title is left in the files")
    func noByteRemains() async throws {
        try await withDatabase { database, _ in
            let word = "planted\(UInt64.random(in: 0...UInt64.max))"
            let library = try await TestLibrary.new(in: database)
            let other = try await TestLibrary.new(in: database, name: "bob")
            try await fill(library, with: word)
            try await fill(other, with: "Stays")
            try await database.truncateLogAfterReads()
            #expect(places(of: word, in: database.path) > 0)
            _ = try await Self.tables.eraseRows(of: library.userID, in: database, by: Self.writes(database, 100))
            try await database.truncateLogAfterReads()
            #expect(places(of: word, in: database.path) == 0)
            try await other.expectSound()
        }
    }

    /// The number of occurrences in a database's file and log.
    private func places(of word: String, in path: String) -> Int {
        ["", "-wal"].reduce(0) { sum, suffix in
            let data = FileManager.default.contents(atPath: path + suffix) ?? Data()
            var (count, rest) = (0, data[...])
            while let range = rest.range(of: Data(word.utf8)) {
                count += 1
                rest = rest[range.upperBound...]
            }
            return sum + count
        }
    }
}
