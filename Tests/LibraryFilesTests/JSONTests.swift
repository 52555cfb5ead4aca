import Foundation
import LibraryFiles
import Model
import Testing

@Suite("JSON of playlists and libraries")
struct JSONTests {
    @Test("In JSPF one song stands for a list of one, as converters from XML write it")
    func singleSong() throws {
        let file = try FileItems(#"{"playlist": {"track": {"title": "A", "creator": "B"}, "title": "P"}}"#)
        #expect(file.kind == .jspf && file.failure == nil && file.skips == [])
        #expect(file.tracks.map(\.track.title) == ["A"])
        #expect(file.playlists.map(\.name) == ["P"] && file.playlists.map(\.entries.count) == [1])
    }

    @Test("A JSPF playlist is read, whatever the order of its members, and also from other programs")
    func jspfPlaylists() throws {
        let file = try FileItems(
            """
            { "playlist": { "track": [
              {"identifier": "https://open.spotify.com/track/4uLU6hMCjMI75M1A2tKUQC", "title": "A", "creator": "Ann",
               "duration": 1000, "extension": {"https://musicbrainz.org/doc/jspf#track": {"added_by": 7}}},
              {"title": ""}, 7, {"title": "B } \\" ]", "creator": "Bob", "duration": "long"}
            ], "title": "Mine", "date": "2026-01-01", "annotation": "x" } }
            """)
        #expect(file.kind == .jspf && file.failure == nil)
        #expect(file.tracks.map(\.track.title) == ["A", "B } \" ]"] && file.tracks.allSatisfy { !$0.isSaved })
        #expect(
            file.skips == [
                "2: the song has no title", "3: the element is not a song, or a value has the wrong type",
            ])
        let playlist = try #require(file.playlists.first)
        #expect(playlist.name == "Mine" && playlist.description == "x" && playlist.entries.count == 4)
        #expect(playlist.entries[0].key == "spotify:track:4uLU6hMCjMI75M1A2tKUQC" && playlist.entries[1].key == nil)
    }

    @Test("Backline's JSON, and an array of songs; elements are counted from 1")
    func ownFormatAndArrays() throws {
        let file = try FileItems(
            """
            {"backline": 1, "tracks": [{"title": "A", "id": "x", "playlistOnly": true}, {"rating": 5}, []],
             "other": {"deep": [1, {"a": "}"}]},
             "playlists": [{"id": "p", "name": "P", "entries": [{"track": "x"}, {"title": "gone"}]}]}
            """)
        #expect(file.kind == .backline && file.failure == nil && file.tracks.map(\.isSaved) == [false])
        #expect(file.skips.map { $0.prefix(2) } == ["2:", "3:"])
        #expect(file.playlists.first?.entries.map(\.key) == [file.tracks[0].track.sourceID, nil])
        #expect(file.playlists.first?.entries[1].title == "gone")
        #expect(
            try FileItems(#" [{"title": "A", "artist": "Ann"}, {"title": "B", "artist": "Ann"}]"#).tracks.count == 2)
    }

    @Test("JSON is recognized by any of its members, and playlists that precede the songs still find them")
    func orderOfMembers() throws {
        let file = try FileItems(
            """
            {"app": {"playlist": 1}, "playlists": [{"name": "P", "entries": [{"track": "x"}]}],
             "tracks": [{"title": "A", "artist": "Ann", "id": "x"}], "version": 2}
            """)
        #expect(file.kind == .backline && file.failure == nil && file.items.count == 2)
        #expect(file.playlists.first?.entries.map(\.key) == file.tracks.map(\.track.sourceID))
        guard case .playlist = file.items.last else { return #expect(Bool(false), "a song came last") }
        let jspf = try FileItems(
            #"{"name": "x", "playlist": {"title": "P", "track": [{"title": "A", "creator": "B"}]}}"#)
        #expect(jspf.kind == .jspf && jspf.tracks.count == 1 && jspf.playlists.map(\.name) == ["P"])
    }

    @Test("JSON that breaks off is read up to there and reported, and JSON of another kind is refused")
    func damagedFiles() throws {
        let file = try FileItems(#"{"backline": 1, "tracks": [{"title": "A"}, {"title": "B"#)
        #expect(file.tracks.count == 1 && file.failure?.contains("incomplete") == true)
        #expect(throws: LibraryFileError.self) { try FileItems(#"{"listens": []}"#) }
    }

    @Test("Everything that is written is read back without loss")
    func roundTrip() throws {
        var track = SourceTrack(sourceID: "", title: "\"Quotes\", = and signs 🎵 ", artist: "Ann; Bob\\", album: "")
        track.genres = ["R;B", "Ja\\zz"]
        track.albumArtist = "=1+1"
        track.composer = ","
        (track.durationMs, track.isrc, track.isExplicit) = (1_234, "USABC1234567", false)
        (track.discNumber, track.trackNumber, track.releaseDate) = (1, 2, ReleaseDate("1981-12"))
        track.addedAt = Timestamp(microseconds: 1_600_000_000_123_456)
        (track.playCount, track.rating, track.artworkURL) = (3, 60, "https://a.test/{w}x{h}.jpg")
        track.lastPlayedAt = Timestamp(microseconds: 1_600_000_001_000_000)
        var other = SourceTrack(sourceID: "", title: "", artist: "", album: "LP")
        other.sourceID = LibraryFileWriter.key(of: other, uri: "spotify:track:4uLU6hMCjMI75M1A2tKUQC")
        track.sourceID = LibraryFileWriter.key(of: track, uri: nil)
        let csv = LibraryFileWriter.csvHead + LibraryFileWriter.csv(track) + LibraryFileWriter.csv(other)
        #expect(try FileItems(csv).tracks == [FileTrack(track), FileTrack(other)])

        let (beginning, middle, end) = LibraryFileWriter.jsonParts
        var playlist = FilePlaylist(
            key: "p", name: "P\"", description: "d",
            entries: [
                .init(key: track.sourceID, addedAt: track.addedAt), .init(key: nil, title: "gone"),
                .init(key: nil, title: "Talk", addedAt: track.addedAt, kind: .episode),
                .init(key: nil, title: "Demo", kind: .local), .init(key: nil),
            ])
        playlist.otherRows = 4
        let json = [
            beginning, LibraryFileWriter.json(track, isSaved: true), ",", LibraryFileWriter.json(other, isSaved: false),
            middle,
            LibraryFileWriter.jsonBeginning(playlist),
            playlist.entries.map { LibraryFileWriter.json($0) }.joined(separator: ","),
            LibraryFileWriter.jsonPlaylistEnd, end,
        ].joined()
        let file = try FileItems(json)
        #expect(file.failure == nil && file.playlists == [playlist])
        #expect(file.tracks == [FileTrack(track), FileTrack(other, isSaved: false)])

        let moment = Timestamp(microseconds: 7_000_000)
        let listed = [LibraryFileWriter.jspf(track, addedAt: moment), LibraryFileWriter.jspf(other, addedAt: nil)]
        let jspf = try FileItems(
            LibraryFileWriter.jspfBeginning(playlist) + listed.joined(separator: ",") + LibraryFileWriter.jspfEnd)
        #expect(jspf.playlists.first?.entries.map(\.addedAt) == [moment, nil])
        #expect(jspf.tracks.map(\.track.isrc) == ["USABC1234567", nil] && jspf.tracks[0].track.genres == track.genres)
    }
}
