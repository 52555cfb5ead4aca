import Foundation
import Storage
import TestProcesses
import TestSupport
import Testing

@Suite("Songs of two libraries", .timeLimit(.minutes(20)))
struct LibraryIdentityTests {
    private struct Tracks: Decodable {
        struct Track: Decodable {
            var id: String
            var title: String
        }

        var items: [Track]
    }

    private struct Identity: Decodable {
        struct SourceTrack: Decodable {
            var id: String
            var source: String
            var evidence: [String]
        }

        struct Decision: Decodable {
            var id: String
            var kind: String
        }

        var trackId: String
        var sourceTracks: [SourceTrack]
        var decisions: [Decision]
    }

    private struct Split: Decodable {
        var tracks: [String]
        var decision: String
    }

    @Test("A split survives syncs, a new connection and a killed worker, playlists do not change, and it can be undone")
    func lastingSplit() async throws {
        try await LibraryInstallation.run { library in
            let (spotify, apple) = (library.upstreams.spotify, library.upstreams.appleMusic)
            try await library.fill(apple, tracks: 120, playlists: 2)
            try await library.fill(spotify, tracks: 120, playlists: 2)
            let ada = try await library.base.addUser()
            try await library.connectAppleMusic(ada)
            try await ada.syncsEnded()
            try await library.connectSpotify(ada)
            try await ada.syncsEnded()
            let before = try await ada.librarySummary()
            #expect(before.tracks.both > 60, "\(before)")
            let entries = try await Self.entries(library)

            let shared: Tracks = try await ada.get("/v1/library/tracks?source=both&limit=1").decode()
            let track = try #require(shared.items.first).id
            let identity: Identity = try await ada.get("/v1/library/tracks/\(track)/identity").decode()
            #expect(identity.trackId == track && identity.sourceTracks.allSatisfy { !$0.evidence.isEmpty })
            let leaving = identity.sourceTracks.filter { $0.source == "spotify" }.map { "\"\($0.id)\"" }
            let split: Split = try await ada.post(
                "/v1/library/tracks/\(track)/split", #"{"sourceTrackIds": [\#(leaving.joined(separator: ","))]}"#
            ).decode()
            #expect(split.tracks.first == track)
            let apart = try await ada.librarySummary()
            #expect(apart.tracks.both == before.tracks.both - 1 && apart.tracks.all == before.tracks.all + 1)

            try await library.killWorker()
            _ = try await ada.askForSync(#"{"force":true}"#)
            #expect(try await ada.syncsEnded().state == "complete")
            #expect(try await ada.librarySummary().tracks.both == apart.tracks.both)
            #expect(try await Self.entries(library) == entries)

            #expect(try await ada.send(.DELETE, "/v1/setup/spotify").status == 200)
            try await eventually("Spotify's tracks to be removed", within: LibraryInstallation.patience) {
                try await ada.librarySummary().tracks.spotify == 0
            }
            try await library.connectSpotify(ada)
            try await ada.syncsEnded()
            #expect(try await ada.librarySummary().tracks.both == apart.tracks.both)
            let again: Identity = try await ada.get("/v1/library/tracks/\(track)/identity").decode()
            #expect(again.decisions.map(\.id) == [split.decision] && again.decisions.map(\.kind) == ["split"])
            #expect(again.sourceTracks.allSatisfy { $0.source == "appleMusic" })

            #expect(try await ada.send(.DELETE, "/v1/library/decisions/\(split.decision)").status == 200)
            #expect(try await ada.librarySummary().tracks.both == before.tracks.both)
        }
    }

    /// The entries of all playlists, byte for byte.
    private static func entries(_ library: LibraryInstallation) async throws -> [[SQLValue]] {
        try await library.base.withDatabase { database in
            try await database.read { reader in
                try reader.rows(
                    """
                    SELECT playlist_id, version, position, kind, source_track_id, title, added_at
                    FROM library_playlist_entries ORDER BY playlist_id, version, position
                    """
                ).map { row in
                    try [
                        "playlist_id", "version", "position", "kind", "source_track_id", "title", "added_at",
                    ].map { try row[$0] as SQLValue }
                }
            }
        }
    }
}
