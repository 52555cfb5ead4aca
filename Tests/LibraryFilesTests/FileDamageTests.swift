import Foundation
import LibraryFiles
import TestSupport
import Testing

@Suite("Damaged files of songs")
struct FileDamageTests {
    @Test("Text that is not UTF-8 is read as Windows-1252, without replacement characters")
    func textInWindows1252() throws {
        let file = try FileItems(Data("Title;Artist\nCaf".utf8) + [0xE9, 0x3B, 0x93] + Data("Ann\nNaïve;Bob\n".utf8))
        #expect(file.tracks.map(\.track.title) == ["Café", "Naïve"])
        #expect(file.tracks.first?.track.artist == "“Ann" && file.skips == [])
    }

    @Test(
        "A row without its closing quotation mark is listed, and the rows below it are read",
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

    @Test("A row of more than a mebibyte is listed, and the rows below it are read")
    func longRow() throws {
        let long = String(repeating: "a", count: 2 << 20)
        let file = try FileItems("Title,Artist\n\"\(long)\nB,Bob\n\(long),Ann\nC,Cid\n")
        #expect(file.tracks.map(\.track.title) == ["B", "C"] && file.lines == [3, 5])
        #expect(file.skips == ["2: the row is longer than 1 MiB", "4: the row is longer than 1 MiB"])
        let open = try FileItems("Title,Artist\n\"A,\"\"\nB,Bob\n\(long),Ann\nC,Cid\n")
        #expect(open.tracks.map(\.track.title) == ["B", "C"] && open.lines == [3, 5])
    }

    @Test("A playlist that cannot be read is listed, and the others are read")
    func unreadablePlaylist() throws {
        let file = try FileItems(
            #"{"backline":1,"tracks":[{"title":"A"}],"playlists":[{"name":{"a":5},"entries":[]},{"name":"P"}]}"#)
        #expect(file.playlists.map(\.name) == ["P"])
        #expect(file.skips == ["1: playlist 1 of the file is not a playlist, or a value has the wrong type"])
    }

    @Test("A playlist is cut at the limit on entries in memory, and the rest is listed")
    func longPlaylist() throws {
        let rows = (0...100_001).map { "Song \($0 % 7),Ann,\($0 % 2)" }.joined(separator: "\n")
        let csv = try FileItems("Title,Artist,Playlist\n" + rows)
        #expect(csv.playlists.map(\.entries.count) == [50_000, 50_000])
        let reason = "a file may have at most 100000 playlist entries; split it"
        #expect(csv.skips == ["100002: \(reason)", "100003: \(reason)"])
        let songs = (0...100_000).map { _ in "{\"title\":\"A\",\"creator\":\"B\"}" }.joined(separator: ",")
        let jspf = try FileItems("{\"playlist\":{\"title\":\"P\",\"track\":[\(songs)]}}")
        #expect(jspf.playlists.first?.entries.count == 100_000 && jspf.skips == ["100001: \(reason)"])
    }

    @Test("Excel's line that names the separator is skipped")
    func separatorLine() throws {
        let file = try FileItems("sep=;\r\nTitle;Artist\r\nA, B;Ann\r\n")
        #expect(file.tracks.map(\.track.title) == ["A, B"] && file.lines == [3])
    }

    /// Lines with listens in three forms.
    private static let lines = [
        #"{"listened_at":1749780612,"track_metadata":{"track_name":"One","artist_name":"Ada"}}"#,
        #"{"ts":"2025-04-28T21:04:35Z","ms_played":90000,"master_metadata_track_name":"One","#
            + #""master_metadata_album_artist_name":"Ada"}"#,
        ##"{"track":[{"name":"One","artist":{"#text":"Ada"},"date":{"uts":"1749776100"}}]}"##,
    ]

    @Test(
        "A damaged line of JSON costs only that line, wherever it breaks off and whatever it contains",
        arguments: [
            "}", "]", ":", "}]", "oops", "\"a\"", "{\"a\":1}}", "{\"a\":\"b", "{\"a\":{\"b\":1", "{\"a\":[1,", "{\"a\"",
            "{\"a\":",
            "{'a':1}", "\u{FEFF}{", "{{{{", "[[[[", "{\"a\":\"\\",
        ])
    func damagedLine(damage: String) throws {
        for line in Self.lines {
            let file = try FileItems([line, line, damage, line, line].joined(separator: "\n") + "\n")
            #expect(file.failure == nil && file.listens.count == 4 && file.skips.count == 1, "\(file)")
            let last = try FileItems([line, line, damage].joined(separator: "\n"))
            #expect(last.failure == nil && last.listens.count == 2 && last.skips.count == 1, "\(last)")
        }
    }

    @Test("A line of 5 MB costs only itself, and the lines below it are read")
    func longLine() throws {
        for line in Self.lines {
            let long = "{\"a\":\"\(String(repeating: "x", count: 5 << 20))\"}"
            let file = try FileItems([line, long, line].joined(separator: "\n"))
            #expect(file.failure == nil && file.listens.count == 2 && file.skips.count == 1)
            #expect(file.skips.first?.contains("it is larger than") == true)
            let open = try FileItems([line, String(long.dropLast(2)), line].joined(separator: "\n"))
            #expect(open.failure == nil && open.listens.count == 2 && open.skips.count == 1)
        }
    }

    @Test("A damaged or oversized element of a list costs only itself")
    func damagedElement() throws {
        for line in Self.lines {
            let long = "{\"a\":\"\(String(repeating: "x", count: 5 << 20))\"}"
            for (damage, count) in [(long + ",", 1), ("{\"a\":\"b", 1), ("{\"a\":{\"b\":1", 1), ("{'a':1},", 1)] {
                let file = try FileItems("[\n\(line),\n\(damage)\n\(line)\n]")
                #expect(file.failure == nil && file.listens.count == 2 && file.skips.count == count, "\(file.skips)")
            }
        }
    }

    @Test("Values that span several lines are read, even if their inner lines begin like new rows")
    func longValues() throws {
        let line = Self.lines[0]
        let page = "{\n\"payload\":{\"listens\":[\n\(line),\n\(line)\n]\n}\n}"
        let file = try FileItems([page, line, page].joined(separator: "\n"))
        #expect(file.failure == nil && file.listens.count == 5 && file.skips == [])
        let cut = try FileItems([page, String(page.dropLast(3)), line].joined(separator: "\n"))
        #expect(cut.failure == nil && cut.listens.count >= 4 && !cut.skips.isEmpty, "\(cut)")
    }
}
