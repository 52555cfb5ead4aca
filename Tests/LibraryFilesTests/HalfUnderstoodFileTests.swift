import LibraryFiles
import Testing

@Suite("Files of other programs that look like known ones")
struct HalfUnderstoodFileTests {
    private static let song = #"{"title":"One","artist":"Ada"}"#

    @Test(
        "A list of songs that says what it is, and lists whose songs are elsewhere, are refused",
        arguments: [
            #"{"name":"Road","tracks":[\#(song)]}"#, #"{"title":"Road","creator":"x","tracks":[\#(song)]}"#,
            #"{"playlist":"Road","tracks":[\#(song)]}"#, #"{"chart":"Top 100","tracks":[\#(song)]}"#,
            #"{"queue":[],"tracks":[\#(song)]}"#, #"{"playlists":[{"name":"Road","entries":[\#(song)]}]}"#,
            #"{"tracks":[\#(song)],"playlists":[{"name":"Road","entries":[\#(song)]}]}"#,
            #"{"playlists":[{"name":"Road","items":[\#(song)]}]}"#,
            #"{"playlists":[{"id":"x","items":[{"snippet":{"title":"One"}}]}]}"#,
            #"{"playlists":[{"items":[{"added_at":"2024-01-01","track":{"name":"One","artists":[]}}]}]}"#,
        ])
    func lists(text: String) {
        let error = #expect(throws: LibraryFileError.self) { try FileItems(text) }
        #expect(error?.description.hasPrefix("This kind of JSON is not known. It has “") == true)
    }

    @Test("Songs, and what Backline itself wrote, are read")
    func songs() throws {
        #expect(try FileItems("[\(Self.song)]").tracks.map(\.isSaved) == [true])
        #expect(try FileItems(#"{"tracks":[\#(Self.song)],"playlists":[]}"#).tracks.count == 1)
        #expect(try FileItems(#"{"backline":1,"name":"x","tracks":[\#(Self.song)]}"#).tracks.count == 1)
        let own = #"{"backline":1,"tracks":[],"playlists":[{"name":"P","entries":[{"kind":"episode","title":"T"}]}]}"#
        #expect(try FileItems(own).playlists.first?.entries.map(\.kind) == [.episode])
        let foreign = try FileItems(
            #"[{"title":"One","artist":"Ada","added_at":"2024-04-01T08:00:00+02:00","duration_ms":200000}]"#)
        #expect(foreign.tracks.first?.track.durationMs == 200_000)
        #expect(foreign.tracks.first?.track.addedAt?.description == "2024-04-01T06:00:00.000000Z")
    }

    @Test("A row that says that it is not a song is skipped", arguments: ["type", "kind"])
    func otherRows(member: String) throws {
        let rows = ["album", "artist", "episode", "podcast", "song", "track"].map {
            #"{"title":"One","artist":"Ada","\#(member)":"\#($0)"}"#
        }
        let file = try FileItems("[" + rows.joined(separator: ",") + "]")
        #expect(file.tracks.count == 2)
        #expect(file.skips.first == "1: an album is not a song" && file.skips.count == 4)
    }

    @Test("The songs that Shazam knows of a person are a list, and the songs of concerts are refused")
    func otherTables() throws {
        let shazam = try FileItems(
            "artist,title,status,date,longitude,latitude\nAda,One,success,2024-04-01T08:00:00Z,1,2\n")
        #expect(shazam.kind == .shazam && shazam.playlists.map(\.name) == ["Shazam"])
        let error = #expect(throws: LibraryFileError.self) {
            try FileItems("Artist,Song,Date,Venue\nAda,One,2024-04-01 20:00,Hall\n")
        }
        #expect(error?.description.contains("a list of concerts") == true)
    }

    @Test(
        "Headings in more languages are known, white space of every kind is, and so are printed lists",
        arguments: [
            "Nom,Artiste", "Nombre,Artista", "Nome,Artista", "名前,アーティスト", "Faixa,Artista", "Titlu,Artist",
            "Назва,Виконавець", "Judul,Artis", "Tên bài hát,Nghệ sĩ", "العنوان,الفنان", "שם השיר,אמן",
        ])
    func headings(heads: String) throws {
        let file = try FileItems("\(heads)\n\u{A0}\"One, two\"\u{A0},\u{A0}\"['Ada', 'Bob']\"\nTwo,Ada\n")
        #expect(file.tracks.map(\.track.title) == ["One, two", "Two"] && file.skips == [])
        #expect(file.tracks.first?.track.artist == "Ada, Bob")
    }
}
