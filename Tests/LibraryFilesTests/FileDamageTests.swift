import Foundation
import LibraryFiles
import TestSupport
import Testing

@Suite("Damaged files of songs")
struct FileDamageTests {
    @Test("Text that is no UTF-8 is read as Windows-1252, and no replacement character is taken")
    func windows1252() throws {
        let file = try FileItems(Data("Title;Artist\nCaf".utf8) + [0xE9, 0x3B, 0x93] + Data("Ann\nNaïve;Bob\n".utf8))
        #expect(file.tracks.map(\.track.title) == ["Café", "Naïve"])
        #expect(file.tracks.first?.track.artist == "“Ann" && file.skips == [])
    }

    @Test(
        "A row without its closing quotation mark is listed, and the rows below it are taken",
        arguments: ["\n", "\r\n", "\r"])
    func quotationMark(end: String) throws {
        let rows = ["Title,Artist", "A,Ann", "\"B,Bob", "C,Cid", "\"D, d\",\"Do\"\"t\"", "E,Eve"]
        let file = try FileItems(rows.joined(separator: end) + end)
        #expect(file.tracks.map(\.track.title) == ["A", "C", "D, d", "E"] && file.lines == [2, 4, 5, 6])
        #expect(file.tracks.map(\.track.artist) == ["Ann", "Cid", "Do\"t", "Eve"])
        #expect(file.skips == ["3: a quotation mark is missing in the row"] && file.failure == nil)
        let last = try FileItems(["Title,Artist", "\"B,Bob", "C,Cid"].joined(separator: end))
        #expect(last.tracks.map(\.track.title) == ["C"])
        #expect(last.skips == ["2: a quotation mark is missing in the row"])
    }

    @Test("A row of more than a mebibyte is listed, and the rows below it are taken")
    func longRow() throws {
        let long = String(repeating: "a", count: 2 << 20)
        let file = try FileItems("Title,Artist\n\"\(long)\nB,Bob\n\(long),Ann\nC,Cid\n")
        #expect(file.tracks.map(\.track.title) == ["B", "C"] && file.lines == [3, 5])
        #expect(file.skips == ["2: the row is longer than 1 MiB", "4: the row is longer than 1 MiB"])
        let open = try FileItems("Title,Artist\n\"A,\"\"\nB,Bob\n\(long),Ann\nC,Cid\n")
        #expect(open.tracks.map(\.track.title) == ["B", "C"] && open.lines == [3, 5])
    }

    @Test("A playlist that cannot be read is listed, and the others are taken")
    func playlist() throws {
        let file = try FileItems(
            #"{"backline":1,"tracks":[{"title":"A"}],"playlists":[{"name":5,"entries":[]},{"name":"P"}]}"#)
        #expect(file.playlists.map(\.name) == ["P"])
        #expect(file.skips == ["1: playlist 1 of the file is none, or has a value of another type"])
    }

    @Test("A playlist ends at the most entries that are held in memory, and what is beyond is listed")
    func longPlaylist() throws {
        let rows = (0...100_001).map { "Song \($0 % 7),\($0 % 2)" }.joined(separator: "\n")
        let csv = try FileItems("Title,Playlist\n" + rows)
        #expect(csv.playlists.map(\.entries.count) == [50_000, 50_000])
        let reason = "a file may have 100000 entries of a playlist; split it"
        #expect(csv.skips == ["100002: \(reason)", "100003: \(reason)"])
        let songs = (0...100_000).map { _ in "{\"title\":\"A\"}" }.joined(separator: ",")
        let jspf = try FileItems("{\"playlist\":{\"title\":\"P\",\"track\":[\(songs)]}}")
        #expect(jspf.playlists.first?.entries.count == 100_000 && jspf.skips == ["100001: \(reason)"])
    }

    @Test("Excel's line that names the separator is passed over")
    func separator() throws {
        let file = try FileItems("sep=;\r\nTitle;Artist\r\nA, B;Ann\r\n")
        #expect(file.tracks.map(\.track.title) == ["A, B"] && file.lines == [3])
    }

    @Test(
        "Brackets and commas between lines of JSON end the file, and are not read for ever",
        arguments: ["}", "]", ",", "}]"])
    func brackets(mark: String) throws {
        for line in [
            #"{"listened_at":1749780612,"track_metadata":{"track_name":"One","artist_name":"Ada"}}"#,
            #"{"ts":"2025-04-28T21:04:35Z","ms_played":90000,"spotify_track_uri":"spotify:track:1"}"#,
            ##"{"track":[{"name":"One","artist":{"#text":"Ada"},"date":{"uts":"1749776100"}}]}"##,
        ] {
            let folder = try TemporaryFolder()
            let path = folder.file("upload")
            try Data("\(line)\n\(mark)\n\(line)".utf8).write(to: URL(fileURLWithPath: path))
            let file = try LibraryFile(path: path)
            #expect(throws: LibraryFileError.self) { for _ in 0..<9 where try file.next() == nil { return } }
        }
    }
}
