import Model
import TestSupport
import Testing

@testable import Library

@Suite("Which songs are looked up in the catalog")
struct CatalogLookupTests {
    private static func song(_ number: Int, catalogID: String?, isrc: String? = nil) -> SourceTrack {
        var track = SourceTrack.sample(number, .appleMusic, isrc: isrc)
        (track.catalogID, track.storefront) = (catalogID, "de")
        return track
    }

    @Test("A song without an ISRC is looked up once per catalog id")
    func oneLookupPerCatalogID() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            func lookedUp(_ tracks: [SourceTrack]) async throws -> Set<String> {
                try await database.read {
                    try $0.tracks.tracksToLookUp(among: tracks, source: .appleMusic, userID: library.userID)
                }
            }
            let tracks = [
                Self.song(1, catalogID: "11"), Self.song(2, catalogID: nil), Self.song(3, catalogID: "13"),
                Self.song(4, catalogID: "14", isrc: "DEA000000004"),
            ]
            #expect(try await lookedUp(tracks) == ["i.1", "i.3"])
            // The catalog provided the ISRC of the third song.
            try await library.save(
                [tracks[0], tracks[1], Self.song(3, catalogID: "13", isrc: "DEA000000003"), tracks[3]], .appleMusic)
            var next = tracks
            next[3].isrc = nil
            #expect(try await lookedUp(next).isEmpty)
            next[1].catalogID = "12"
            next[0].storefront = "fr"
            #expect(try await lookedUp(next) == ["i.1", "i.2"])
            try await library.save(next, .appleMusic, at: 1)
            #expect(try await lookedUp(next).isEmpty)
            let isrcs = try await database.read {
                try $0.rows("SELECT isrc FROM library_source_tracks WHERE isrc IS NOT NULL ORDER BY source_id").map {
                    try $0["isrc"] as String
                }
            }
            #expect(isrcs == ["DEA000000003", "DEA000000004"])
        }
    }
}
