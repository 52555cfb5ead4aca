import LibraryFiles
import Model
import Testing

@Suite("Rows that are not songs")
struct OtherRowTests {
    private static let playlist = FilePlaylist(key: "p", name: "Talks")
    private static let entries: [FilePlaylist.Entry] = [
        .init(key: nil, title: "Pilot", kind: .episode), .init(key: nil, title: "Demo", kind: .local), .init(key: nil),
    ]

    @Test("In Backline's own files they count with their playlist, and the file is recognized by them alone")
    func rowsInOwnFiles() throws {
        let (beginning, middle, end) = LibraryFileWriter.jsonParts
        let json =
            beginning + middle + LibraryFileWriter.jsonBeginning(Self.playlist)
            + Self.entries.map { LibraryFileWriter.json($0) }.joined(separator: ",") + LibraryFileWriter.jsonPlaylistEnd
            + end
        let csv =
            LibraryFileWriter.playlistCSVHead
            + Self.entries.map { LibraryFileWriter.csv($0, of: Self.playlist) }.joined()
        let jspf =
            LibraryFileWriter.jspfBeginning(Self.playlist)
            + Self.entries.map { LibraryFileWriter.jspf($0) }.joined(separator: ",") + LibraryFileWriter.jspfEnd
        for (text, kind) in [(json, LibraryFileKind.backline), (csv, .csv), (jspf, .jspf)] {
            let file = try FileItems(text)
            #expect(file.kind == kind && file.failure == nil && file.skips == [] && file.tracks == [], "\(kind)")
            #expect(file.playlists.map(\.name) == ["Talks"] && file.playlists.map(\.otherRows) == [3], "\(kind)")
            #expect(file.playlists.first?.entries.map(\.kind) == [.episode, .local, .unavailable], "\(kind)")
        }
    }

    @Test("A damaged playlist has no rows but its own")
    func damagedPlaylist() throws {
        let file = try FileItems(#"{"backline":1,"playlists":[{"name":"P","entries":[{"kind":"local"}, 7]}]}"#)
        #expect(file.playlists == [] && file.skips.count == 1)
        let jspf = try FileItems(#"[{"playlist":{"title":"P","track":[{"title":"A","creator":"B"}]}},{"playlist":7}]"#)
        #expect(jspf.tracks.count == 1 && jspf.skips == ["2: the element is not a playlist"])
    }

    @Test("In other programs' files, rows that should be songs are skipped with the reason, and counted only once")
    func rowsInOtherFiles() throws {
        let jspf = try FileItems(#"{"playlist":{"title":"P","track":[{"title":"One"},{},7]}}"#)
        #expect(jspf.kind == .jspf && jspf.skips.count == 3 && jspf.playlists.map(\.otherRows) == [0])
        let xspf = try FileItems(
            "<playlist><title>P</title><trackList><track><title>One</title></track><track/></trackList></playlist>")
        #expect(xspf.kind == .xspf && xspf.skips.count == 2 && xspf.playlists.map(\.otherRows) == [0])
        let table = try FileItems(
            "Track name,Artist name,Playlist name,Type\nTalk,Ann,P,Podcast\nPilot,Ann,P,Episode\nFile,Ann,P,Local\n")
        #expect(table.kind == .csv && table.playlists == [])
        #expect(
            table.skips == [
                "2: a podcast is not a song", "3: an entry of type “episode” is not a song",
                "4: an entry of type “local” is not a song",
            ])
    }

    @Test("A list of Spotify without any song is recognized, and each of its rows counts once")
    func listOfSpotify() throws {
        let file = try FileItems(
            """
            {"playlists":[{"name":"Talks","items":[{"track":null,"episode":null,"localTrack":null,"audiobook":null},
              {"track":null,"episode":{"episodeName":"Pilot"},"localTrack":null},
              {"track":null,"episode":null,"localTrack":{"uri":"spotify:local:Ann:LP:Demo:187"}},null]}]}
            """)
        #expect(file.kind == .spotifyLibrary && file.failure == nil && file.tracks == [])
        #expect(file.skips == ["1: the entry names no song", "4: the element is not an entry of a playlist"])
        #expect(file.playlists.map(\.entries.count) == [4] && file.playlists.map(\.otherRows) == [2])
    }

    @Test("The name of a playlist has no hidden characters, and neither do texts that quote the file")
    func namesOfPlaylists() throws {
        let file = try FileItems(
            "Title,Artist,Playlist\nOne,Ann,Ro\u{202E}ad\u{200B} trip\nTwo,Ann,\u{2066}\u{200D}\n")
        #expect(file.playlists.map(\.name) == ["Road trip", "Untitled playlist"])
        let spotify = try FileItems("{\"playlists\":[{\"name\":\"\u{202E}Bare\",\"lastModifiedDate\":\"2020-01-01\"}]}")
        #expect(spotify.skips == ["1: the playlist “Bare” has no list of songs"])
        let error = #expect(throws: LibraryFileError.self) { try FileItems("\u{202E}a,b\u{7}\n1,2\n") }
        #expect(error?.description.contains("“a”, “b”") == true, "\(error?.description ?? "")")
    }
}
