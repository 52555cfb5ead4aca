import Model
import Storage
import TestSupport
import Testing

@testable import Library

@Suite("Songs that share albums with others", .timeLimit(.minutes(5)))
struct AlbumNeighborTests {
    private func track(_ id: String, _ artist: String, on album: String, by albumArtist: String? = nil) -> SourceTrack {
        var track = SourceTrack(sourceID: id, title: "Song \(id)", artist: artist, album: album)
        track.albumArtist = albumArtist
        return track
    }

    /// The titles of songs that share albums with the given songs, each with the number of these albums.
    private func neighbors(of ids: [String], in tracks: [SourceTrack]) async throws -> [String: Int] {
        try await withDatabase { database, _ in
            let library = try await SampleLibrary(database)
            try await library.save(tracks, at: .spotify)
            let other = try await SampleLibrary(database, person: "bea")
            try await other.save(tracks, at: .spotify)
            let userID = library.userID
            return try await database.read { reader in
                let wanted = try ids.map { id in
                    try #require(try reader.tracks.track(ofCatalogID: id, at: .spotify, userID: userID))
                }
                let found = try reader.albums.albumNeighbors(ofTracks: wanted, userID: userID, limit: 50)
                let shown = try reader.tracks.presentTracks(Array(found.keys), userID: userID)
                #expect(shown.count == found.count, "other people's songs are none of the neighbors")
                return Dictionary(
                    uniqueKeysWithValues: found.map { (shown[$0.key]?.title ?? "", $0.value.groups) })
            }
        }
    }

    @Test("Songs of an album are neighbors, including those with guests, but not those of a namesake album")
    func songsOfAnAlbum() async throws {
        let tracks = [
            track("a", "Ada", on: "Greatest Hits"), track("b", "Ada & Bea", on: "greatest hits"),
            track("c", "Cem", on: "Greatest Hits"), track("d", "Ada", on: "Others"), track("e", "Ada", on: ""),
            track("f", "Ada", on: "Others"),
        ]
        #expect(try await neighbors(of: ["a"], in: tracks) == ["Song b": 1])
        #expect(try await neighbors(of: ["a", "d"], in: tracks) == ["Song b": 1, "Song f": 1])
        #expect(try await neighbors(of: ["e"], in: tracks).isEmpty)
        #expect(try await neighbors(of: [], in: tracks).isEmpty)
    }

    @Test("A compilation connects songs of several artists if its artist is named, but never by its name alone")
    func compilations() async throws {
        let named = [
            track("a", "Ada", on: "Hits", by: "Various Artists"), track("b", "Bea", on: "Hits", by: "Various Artists"),
            track("c", "Cem", on: "Hits", by: "Cem"), track("d", "Dan", on: "Hits"),
        ]
        #expect(try await neighbors(of: ["a"], in: named) == ["Song b": 1])
        #expect(try await neighbors(of: ["d"], in: named).isEmpty)
    }

    @Test("An album counts once, no matter how many of the others are on it")
    func albumCountsOnce() async throws {
        let tracks =
            (0..<4).map { track("\($0)", "Ada", on: "Long") } + [
                track("x", "Bea", on: "Short"), track("y", "Bea", on: "Short"),
            ]
        #expect(try await neighbors(of: ["0", "1", "x"], in: tracks) == ["Song 2": 1, "Song 3": 1, "Song y": 1])
    }
}
