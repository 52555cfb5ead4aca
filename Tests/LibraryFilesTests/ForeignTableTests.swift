import LibraryFiles
import Model
import Testing

/// Tables and documents of programs whose headings and forms differ from Backline's own.
@Suite("Files of other programs are read whole, or refused with an explanation")
struct ForeignTableTests {
    private func refusal(_ text: String) -> String? {
        do {
            return try FileItems(text).failure
        } catch {
            return "\(error)"
        }
    }

    @Test("Quotation marks that do not end a field belong to its text, and a backslash escapes one")
    func quotationMarks() throws {
        let rows = [
            "title,artist", #""Heroes" - 2017 Remaster,Ada"#, #""Say \"yes\" now",Ada"#, #""\"Heroes\"",Ada"#,
            #""AC\",Ada"#, #" "x, y" ,Ada"#, #""One, ""two""",Ada"#,
        ]
        let file = try FileItems(rows.joined(separator: "\n"))
        #expect(
            file.tracks.map(\.track.title) == [
                "\"Heroes\" - 2017 Remaster", "Say \"yes\" now", "\"Heroes\"", "AC\\", "x, y", "One, \"two\"",
            ])
        #expect(file.skips == [])
    }

    @Test(
        "A history whose times cannot be read is not taken for a list of saved songs",
        arguments: [
            "Titel;Künstler;Datum\nLied;Nora;1. April 2024 08:00", "Titre,Artiste,Date\nUn,Nora,1 avr. 2024 à 08h00",
            "제목,아티스트,날짜\n노래,가수,2024. 4. 1. 오후 8:00", "Artist,Title,Played\nAda,One,01-04-2024 08:00",
            "歌名,歌手,日期\n一,Ada,2024/4/1 下午8:00", "Artist,Title,Heard\nAda,One,01-04-2024 8:00PM",
            "Artist,Title,Heard\nAda,One,01-04-2024 08:00:30.500",
        ])
    func unreadableMoments(text: String) {
        #expect(refusal(text)?.contains("which cannot be read. Write them as 2024-04-01 08:00.") == true)
    }

    @Test(
        "Dates without a time, and file names, do not turn a table of songs into a history",
        arguments: [
            "Titel;Interpret;Erscheinungsdatum\nLied;Nora;31.12.2015\n",
            "Titel;Interpret;Erscheinungsdatum\nLied;Nora;12.12.2015\n",
            "Titel;Interpret;Erschienen\nLied;Nora;2015.12.31\n",
            "Titel;Interpret;Datei\nLied;Nora;2015 - LP/1.01 Lied\n",
        ])
    func datesWithoutATime(text: String) throws {
        let file = try FileItems(text)
        #expect(file.kind == .csv && file.tracks.map(\.track.title) == ["Lied"] && file.skips == [])
    }

    @Test("A library may have times that cannot be read")
    func unreadableTimes() throws {
        let file = try FileItems("Name\tArtist\tDate Added\tGeändert\nOne\tAda\t1/2/20, 3:04 PM\t1. April 2024 08:00\n")
        #expect(file.kind == .csv && file.tracks.map(\.track.title) == ["One"])
    }

    @Test("The kind and the list of a row are read in other languages, too")
    func kindsInOtherLanguages() throws {
        let file = try FileItems(
            """
            Titel;Interpret;Album;Typ;Wiedergabeliste
            Lied;Nora;LP;Titel;Mix
            LP;Nora;LP;Album;
            Nora;Nora;;Künstler;
            Zwei;Nora;LP;Favorit;Mix

            """)
        #expect(file.tracks.map(\.track.title) == ["Lied", "Zwei"] && file.tracks.map(\.isSaved) == [false, true])
        #expect(file.skips == ["3: an album is not a song", "4: an artist is not a song"])
        #expect(file.playlists.map(\.name) == ["Mix"] && file.playlists.first?.entries.count == 1)
        let english = try FileItems(
            "Title,Artist,Kind\nOne,Ada,Liked Songs\nLP,Ada,Albums\nClip,Ada,MPEG-4 video file\n"
                + "Two,Ada,MPEG audio file\n")
        #expect(english.tracks.map(\.track.title) == ["One", "Two"])
        #expect(english.skips == ["3: an album is not a song", "4: a video is not a song"])
    }

    @Test("A history may say which of its rows are plays")
    func playsOfAHistory() throws {
        let file = try FileItems(
            """
            timeMs,artist,track,event
            1711958400000,Ada,One,scrobble
            1711958500000,Ada,Two,love
            1711958600000,Ada,Talk,podcast

            """)
        #expect(file.kind == .listenTable)
        #expect(file.items.count == 3)
        #expect(file.skips == ["3: a song marked as a favorite is not a play", "4: a podcast is not a song"])
    }

    @Test(
        "A column for each artist is read under any name for artists",
        arguments: [
            "Song Title,Artist Name 1,Artist Name 2", "Songtitel,Künstlername 1,Künstlername 2",
            "Track,Artist 1,Artist 2",
        ])
    func columnsOfArtists(heads: String) throws {
        #expect(try FileItems(heads + "\nOne,Ada,Bob\n").tracks.map(\.track.artist) == ["Ada, Bob"])
    }

    @Test("A column for each artist is read in histories, too")
    func artistsOfListens() throws {
        let file = try FileItems(
            """
            Track,Artist 1,Artist 2,Played at
            One,Ada,Bob,2024-04-01T08:00:00Z
            Two,Cid,,2024-04-01T09:00:00Z

            """)
        #expect(file.kind == .listenTable && file.skips == [])
        #expect(file.listens.map(\.artist) == ["Ada, Bob", "Cid"])
    }

    @Test("A vertical bar may separate the fields, and a recording's id becomes the song's key")
    func verticalBars() throws {
        let file = try FileItems("Title|Artist|MBID\nOne|Ada|8F3471B5-7e6a-48da-86a9-c1c07a0f47ae\n")
        #expect(file.tracks.map(\.track.sourceID) == ["musicbrainz:recording:8f3471b5-7e6a-48da-86a9-c1c07a0f47ae"])
    }

    @Test(
        "Collections of releases, and rows of plays and of lists in JSON, are not saved songs",
        arguments: [
            "Catalog#,Artist,Title,Label,Format,Released,release_id\nX1,Nora,Harbor,Lab,LP,1999,123\n",
            "listing_id,artist,title,label,catno,format,release_id\n1,Nora,Harbor,Lab,X1,LP,123\n",
            #"{"tracks":[{"track":"One","artist":"Ada","album":"LP","date":"1712000000"}]}"#,
            #"[{"title":"One","artist":"Ada","playlist":"Mix"}]"#,
            #"[{"title":"One","artist":"Ada","startTime":"2024-04-01T00:00:00Z"}]"#,
            #"{"data":[{"title":"One","artist":{"name":"Ada"},"album":{"title":"LP"}}]}"#,
        ])
    func collectionsAndPlays(text: String) {
        #expect(refusal(text) != nil)
    }

    @Test(
        "Songs may name their release and label",
        arguments: [
            "Release ID,Label,Title,Artist\n1,Lab,One,Ada\n", "Catalog#,Label,Format,Title,Artist\nX1,Lab,LP,One,Ada\n",
            "Catalog#,Release ID,Track Name,Artist\nX1,1,One,Ada\n",
            "Catalog#,Release ID,Title,Artist,ISRC\nX1,1,One,Ada,GBZZZ2400001\n",
        ])
    func releasesAndLabels(text: String) throws {
        let file = try FileItems(text)
        #expect(file.kind == .csv && file.tracks.map(\.track.title) == ["One"])
    }

    @Test("A number of plays in JSON does not make a list of songs a history")
    func numberOfPlays() throws {
        let file = try FileItems(#"[{"title":"One","artist":"Ada","played":12}]"#)
        #expect(file.kind == .backline && file.tracks.map(\.track.title) == ["One"])
    }

    @Test("The dates of adding in a program's XSPF extension are read")
    func datesInExtensions() throws {
        let file = try FileItems(
            """
            <?xml version="1.0"?><playlist version="1" xmlns="http://xspf.org/ns/0/"><title>P</title><trackList>
            <track><title>One</title><creator>Ada</creator>
            <extension application="https://musicbrainz.org/doc/jspf#track"><added_by>me</added_by>
            <added_at>2024-04-01T08:00:00+00:00</added_at><other><inner>text</inner></other></extension></track>
            <track><title>Two</title><creator>Ada</creator><extension application="x">text<y/></extension></track>
            </trackList></playlist>
            """)
        #expect(file.failure == nil && file.tracks.map(\.track.title) == ["One", "Two"])
        #expect(
            file.playlists.first?.entries.map { $0.addedAt?.description } == ["2024-04-01T08:00:00.000000Z", nil])
    }

    @Test("A listen's recording id is found in each of ListenBrainz' members, and the program's own takes precedence")
    func recordingIDs() throws {
        let id = { (digit: String) in "\(digit)f3471b5-7e6a-48da-86a9-c1c07a0f47ae" }
        func row(_ members: String, _ info: String, _ mapping: String) -> String {
            #"{"listened_at":1711958400\#(members),"track_metadata":{"track_name":"One","artist_name":"Ada","#
                + #""additional_info":\#(info)\#(mapping)}}"#
        }
        let mapping = #","mbid_mapping":{"recording_mbid":"\#(id("b"))"}"#
        let file = try FileItems(
            [
                row(#","recording_mbid":"\#(id("c"))""#, #"{"recording_mbid":"\#(id("a"))"}"#, mapping),
                row(#","recording_mbid":"\#(id("c"))""#, "[]", mapping),
                row(#","recording_mbid":"\#(id("C"))""#, "null", ""),
                row("", #"{"lastfm_track_mbid":"\#(id("d"))"}"#, ""),
            ].joined(separator: "\n"))
        #expect(file.listens.map(\.recordingMBID) == [id("a"), id("b"), id("c"), id("d")])
    }

    @Test("Only a UUID is the id of a recording")
    func recordingsOfNumbers() throws {
        let table = try FileItems(
            """
            listened_at,title,artist,recordingid
            2024-04-01T08:00:00Z,One,Ada,12345
            2024-04-01T09:00:00Z,Two,Ada,8F3471B5-7E6A-48DA-86A9-C1C07A0F47AE

            """)
        #expect(table.listens.map(\.recordingMBID) == [nil, "8f3471b5-7e6a-48da-86a9-c1c07a0f47ae"])
        let lastfm = try FileItems(
            ##"[{"track":[{"name":"One","artist":{"#text":"Ada"},"mbid":"12345","date":{"uts":"1749776100"}}]}]"##)
        #expect(lastfm.listens.map(\.recordingMBID) == [nil])
    }
}
