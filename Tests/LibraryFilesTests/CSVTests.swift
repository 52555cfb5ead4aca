import Foundation
import LibraryFiles
import Model
import Testing

@Suite("Comma-separated values")
struct CSVTests {
    @Test("Columns are recognized by their headings, in any order and under other programs' names")
    func recognizedColumns() throws {
        let file = try FileItems(
            """
            Track URI,Track Name,Album Name,Artist Name(s),Track Duration (ms),Added At,ISRC
            spotify:track:4uLU6hMCjMI75M1A2tKUQC,"One, ""two""\nthree",LP,"Ann, Bob",1234,2020-02-29T23:59:58Z,us-abc-12-34567
            """)
        #expect(file.kind == .csv && file.failure == nil)
        let track = try #require(file.tracks.first?.track)
        #expect(track.title == "One, \"two\" three" && track.artist == "Ann, Bob" && track.album == "LP")
        #expect(track.sourceID == "spotify:track:4uLU6hMCjMI75M1A2tKUQC" && track.isrc == "USABC1234567")
        #expect(track.durationMs == 1_234 && track.addedAt == Timestamp(rfc3339: "2020-02-29T23:59:58Z"))
    }

    @Test("Separators, line ends, byte order marks and UTF-16 are recognized")
    func encodingsOfTables() throws {
        let rows = ["title;artist;duration", "Ä;Ann;3:45", "", "B;Bob;200"]
        let texts =
            ["\r\n", "\n", "\r"].map { rows.joined(separator: $0) } + ["\u{FEFF}" + rows.joined(separator: "\r\n")]
        for data in texts.map({ Data($0.utf8) }) + [
            texts[0].data(using: .utf16)!, Data([0xFE, 0xFF]) + texts[0].data(using: .utf16BigEndian)!,
        ] {
            let file = try FileItems(data)
            #expect(file.tracks.map(\.track.title) == ["Ä", "B"] && file.tracks.map(\.track.artist) == ["Ann", "Bob"])
            #expect(file.tracks.map(\.track.durationMs) == [225_000, 200_000])
            #expect(file.lines == [2, 4])
        }
    }

    @Test("Rows without a title are listed with their line, and a file that is not a table is refused")
    func refusedRowsAndFiles() throws {
        let file = try FileItems("title,artist\n,Ann\n\"two\nlines\",Bob\n,Eve\n")
        #expect(file.skips == ["2: the song has no title", "5: the song has no title"] && file.lines == [3])
        #expect(file.tracks.map(\.track.title) == ["two lines"])
        #expect(throws: LibraryFileError.self) { try FileItems(Data([0x89, 0x50, 0x4E, 0x47, 0, 1])) }
        #expect(throws: LibraryFileError.self) { try FileItems("") }
    }

    @Test("A backslash before a quotation mark survives a round trip through Backline's own tables")
    func escapedBackslashes() throws {
        let titles = [#"x\",y"#, #"\"#, #"a\"b"#, #"\"",""#, #"x\"#]
        let songs = titles.map { SourceTrack(sourceID: "", title: $0, artist: #"Ann, \"B\""#, album: #"LP\"#) }
        let playlist = FilePlaylist(key: "p", name: #"P\","#)
        let texts = [
            LibraryFileWriter.csvHead + songs.map { LibraryFileWriter.csv($0) }.joined(),
            LibraryFileWriter.playlistCSVHead
                + songs.map { LibraryFileWriter.csv($0, of: playlist, addedAt: nil) }.joined(),
        ]
        for text in texts {
            let file = try FileItems(text)
            #expect(file.failure == nil && file.skips == [])
            #expect(file.tracks.map(\.track.title) == titles)
            #expect(file.tracks.allSatisfy { $0.track.artist == #"Ann, \"B\""# && $0.track.album == #"LP\"# })
        }
        #expect(try FileItems(texts[1]).playlists.map(\.name) == [playlist.name])
        let time = Timestamp(microseconds: 1_711_958_400_000_000)
        var listens = titles.compactMap { FileListen(title: $0, artist: #"Ann\"#, album: #"LP\","#, time: time) }
        for index in listens.indices { listens[index].isExported = true }
        let rows = listens.map { ListenCSV.row($0, sources: ["lastfm"]) }
        let file = try FileItems(String(decoding: ListenCSV.head + rows.joined(), as: UTF8.self))
        #expect(file.kind == .listens && file.skips == [] && file.listens == listens)
    }

    @Test("Rows that name a playlist become its entries, not songs of the library")
    func rowsOfPlaylists() throws {
        let file = try FileItems("Title,Artist,Playlist\nA,Ann,P\nB,Bob,Q\nA,Ann,P\n")
        #expect(file.tracks.map(\.isSaved) == [false, false, false])
        #expect(file.playlists.map(\.name) == ["P", "Q"])
        let keys = file.tracks.map(\.track.sourceID)
        #expect(keys[0] == keys[2] && file.playlists[0].entries.map(\.key) == [keys[0], keys[0]])
    }
}
