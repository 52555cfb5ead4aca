import Foundation
import LibraryFiles
import Model
import TestSupport
import Testing

@Suite("Files of songs that services and other programs write")
struct ServiceFileTests {
    // MARK: Spotify's account data

    @Test("Spotify's library is the songs that the person likes; its other lists are reported with their length")
    func spotifyLibrary() throws {
        let file = try FileItems(
            """
            {"tracks":[{"artist":"Ada","album":"LP","track":"One","uri":"spotify:track:4uLU6hMCjMI75M1A2tKUQC"},
              {"artist":"Ada","album":"LP","track":1999},{"artist":"Ada","track":""},{"track":"No artist","uri":null}, 7],
             "albums":[{"artist":"Ada","album":"LP","uri":"spotify:album:1"},{"album":"EP"}],"shows":[],
             "bannedTracks":[{"artist":"Eve","album":"Wall","track":"Drill","uri":"spotify:track:7uLU6hMCjMI75M1A2tKUQC"}]}
            """)
        #expect(file.kind == .spotifyLibrary && file.failure == nil && file.playlists == [])
        #expect(file.tracks.map(\.track.title) == ["One", "1999"] && file.tracks.allSatisfy(\.isSaved))
        #expect(file.tracks[0].track.sourceID == "spotify:track:4uLU6hMCjMI75M1A2tKUQC")
        #expect(
            file.skips == [
                "3: the song has no title", "4: the song has no artist", "5: the element is not a song",
                "1: “albums” has 2 entries, which are not songs of the library",
                "1: “bannedTracks” has one entry, which is not a song of the library",
            ])
        for text in [
            #"{"tracks":[],"albums":[],"bannedTracks":[],"other":[]}"#,
            #"{"albums":[{"album":"LP"}],"tracks":[{"track":"One","artist":"Ada","album":"LP"}]}"#,
        ] {
            #expect(try FileItems(text).kind == .spotifyLibrary)
        }
    }

    @Test("Spotify's playlists keep their order, their dates, and entries that are not songs")
    func spotifyPlaylists() throws {
        let file = try FileItems(
            """
            {"playlists":[{"name":"Mix","lastModifiedDate":"2025-03-02","collaborators":[],"items":[
              {"track":{"trackName":"One","artistName":"Ada","albumName":"LP","trackUri":"spotify:track:4uLU6hMCjMI75M1A2tKUQC"},
               "episode":null,"localTrack":null,"addedDate":"2025-03-02"},
              {"track":null,"episode":{"episodeName":"Talk","showName":"Show"},"localTrack":null,"addedDate":"2025-03-01"},
              {"track":null,"localTrack":{"uri":"spotify:local:Ada:Demos:Caf%C3%A9+Roof:187"},"addedDate":"2025-02-01"},
              {"track":null,"audiobook":{"audiobookName":"Book"}},{"track":null},
              {"track":{"trackName":"One","artistName":"Ada"},"addedDate":"2024-01-01"}],
              "description":"for cooking","numberOfFollowers":0},
             {"name":"Mix","items":[]},{"name":"Old","tracks":[{"trackName":"Two","artistName":"Bob","albumName":"EP"}]},
             {"name":"Bare","lastModifiedDate":"2020-01-01"}]}
            """)
        #expect(file.kind == .spotifyLibrary && file.failure == nil)
        #expect(file.tracks.map(\.track.title) == ["One", "One", "Two"] && file.tracks.allSatisfy { !$0.isSaved })
        #expect(file.playlists.map(\.name) == ["Mix", "Mix", "Old"])
        let mix = try #require(file.playlists.first)
        #expect(mix.description == "for cooking")
        #expect(mix.entries.map(\.kind) == [.track, .episode, .local, .unavailable, .unavailable, .track])
        #expect(mix.entries.map(\.title) == [nil, "Talk", "Café Roof", "Book", nil, nil])
        #expect(mix.entries[0].addedAt?.description == "2025-03-02T00:00:00.000000Z")
        #expect(file.tracks[0].track.addedAt == mix.entries[0].addedAt && mix.entries[3].addedAt == nil)
        #expect(file.playlists.map(\.otherRows) == [3, 0, 0])
        #expect(file.skips == ["5: the entry names no song", "8: the playlist “Bare” has no list of songs"])
    }

    @Test("An archive of account data has its songs, playlists and listens; one line names its other files")
    func spotifyArchive() throws {
        let listens = #"[{"endTime":"2024-10-10 07:59","artistName":"Ada","trackName":"One","msPlayed":60000}]"#
        let library = #"{"tracks":[{"artist":"Ada","album":"LP","track":"One","uri":"x"}],"bannedTracks":[]}"#
        let lists = #"{"playlists":[{"name":"P","items":[{"track":{"trackName":"Two","artistName":"Bob"}}]}]}"#
        let archive = ZipBytes.archive([
            ("MyData/Follow.json", Data(#"{"userIsFollowing":["a"],"userIsFollowedBy":[]}"#.utf8)),
            ("MyData/Payments.json", Data(#"{"payment_method":"card"}"#.utf8)),
            ("MyData/YourLibrary.json", Data(library.utf8)),
            ("MyData/Playlist1.json", Data(lists.utf8)), ("MyData/StreamingHistory_music_0.json", Data(listens.utf8)),
            ("MyData/Read_Me_First.pdf", Data([0x25, 0x50, 0, 1])), ("MyData/SearchQueries.json", Data("[]".utf8)),
        ])
        let file = try FileItems(Data(archive))
        #expect(file.kind == .zip && file.failure == nil && file.playlists.map(\.name) == ["P"])
        #expect(file.tracks.map(\.track.title) == ["One", "Two"] && file.listens.count == 1)
        #expect(file.skips.count == 1)
        let names = ["Follow.json", "Payments.json", "Read_Me_First.pdf", "SearchQueries.json"]
            .map { "“MyData/\($0)”" }
        #expect(
            file.skips.first?.hasPrefix(
                "1: \(names.joined(separator: ", ")): they are not files of songs or listens. Backline reads ") == true,
            "\(file.skips)")
        let other = try FileItems(
            Data(ZipBytes.archive([("a.json", Data(#"{"a":1}"#.utf8)), ("b.png", Data([0, 1]))])))
        #expect(
            other.failure?.hasPrefix("The zip archive has no file of a known kind. It has “a.json”, “b.png”.") == true)
    }

    // MARK: Tables

    /// Exportify's headings in its languages, for the facts that the row below has.
    @Test(
        "Exportify's tables are read in all of its languages",
        arguments: [
            "رابط الأغنية (URI),اسم الأغنية,أسماء الفنانين,مدة الأغنية (بالمللي ثانية),أضيف بواسطة,أضيف في",
            "Track-URI,Track-Name,Künstlername(n),Track-Dauer (ms),Hinzugefügt von,Hinzugefügt am",
            "URI κομματιού,Όνομα κομματιού,Όνομα/τα καλλιτέχνη,Διάρκεια κομματιού (ms),Προστέθηκε από,Προστέθηκε στις",
            "Track URI,Track Name,Artist Name(s),Track Duration (ms),Added By,Added At",
            "URI de la canción,Nombre de la canción,Nombre(s) del artista,Duración de la canción (ms),Añadido por,Añadido en",
            "URI du titre,Nom du titre,Nom(s) de l'artiste,Durée du titre (ms),Ajouté par,Ajouté le",
            "URI della traccia,Nome della traccia,Nome dell'artista,Durata della traccia (ms),Aggiunto da,Aggiunto il",
            "トラックURI,トラック名,アーティスト名,トラックの長さ（ミリ秒）,追加者,追加日時",
            "Nummer URI,Nummernaam,Naam van artiest,Nummerduur (ms),Toegevoegd door,Toegevoegd op",
            "URI da faixa,Nome da faixa,Nome(s) do artista,Duração da faixa (ms),Adicionado por,Adicionado em",
            "Låtens URI,Låtens namn,Artistens namn,Låtlängd (ms),Tillagd av,Tillagd vid",
            "Parça URI,Parça Adı,Sanatçı Adı,Parça Süresi (ms),Ekleyen,Eklenme Tarihi",
            "歌 Link,歌名,Artist 名,曲目時長（毫秒）,加入者,加入時間",
            "曲目 URI,曲目名称,艺人名称,曲目时长（毫秒）,添加者,添加时间",
            "曲目 URI,曲目名稱,藝人名稱,曲目長度（毫秒）,新增者,新增時間",
        ])
    func tablesOfExportify(heads: String) throws {
        let row = "spotify:track:4uLU6hMCjMI75M1A2tKUQC,One,\"Ada, Bob\",200000,spotify:user:x,2024-02-01T10:00:00Z"
        let archive = ZipBytes.archive([("My_Mix.csv", Data("\u{FEFF}\(heads)\n\(row)\n".utf8))])
        let file = try FileItems(Data(archive))
        let song = try #require(file.tracks.first?.track)
        #expect(song.title == "One" && song.artist == "Ada, Bob" && song.durationMs == 200_000, "\(song)")
        #expect(
            song.addedAt == Timestamp(rfc3339: "2024-02-01T10:00:00Z") && song.sourceID.hasPrefix("spotify:track:4uLU"))
        #expect(file.playlists.map(\.name) == ["My Mix"] && file.skips == [])
    }

    @Test("TuneMyMusic's column says what a row is: liked songs are saved, and an album or artist is not a song")
    func tuneMyMusic() throws {
        let file = try FileItems(
            """
            Track name,Artist name,Album,Playlist name,Type,ISRC,Apple - id
            One,Ada,LP,Library Songs,Favorite,GBZZZ2400001,1440857781
            LP,Ada,,Library Albums,Album,,
            Ada,,,Library Artists,Artist,,
            One,Ada,LP,Trip,Playlist,,1440857781
            Two,Bob,EP,Trip,Playlist,,
            A - B,,,Trip,Playlist,,
            """)
        #expect(file.tracks.map(\.track.title) == ["One", "One", "Two"])
        #expect(file.tracks.map(\.isSaved) == [true, false, false])
        #expect(
            file.tracks.map(\.track.sourceID).prefix(2) == [
                "appleMusic:track:1440857781", "appleMusic:track:1440857781",
            ])
        #expect(file.playlists.map(\.name) == ["Trip"] && file.playlists.first?.entries.count == 2)
        #expect(
            file.skips == [
                "3: an album is not a song", "4: an artist is not a song", "7: the song has no artist",
            ])
    }

    @Test("Shazam's songs are a list of what was identified and when, and do not count as saved")
    func songsOfShazam() throws {
        let file = try FileItems(
            "Shazam Library\nIndex,TagTime,Title,Artist,URL,TrackKey\n"
                + "1,2024-12-14,\"One, two\",Ada,https://www.shazam.com/track/1/x,1\n2,2026-03-04 21:15:30,Two,Bob,x,2\n"
        )
        #expect(file.kind == .shazam && file.tracks.map(\.track.title) == ["One, two", "Two"])
        #expect(file.tracks.allSatisfy { !$0.isSaved } && file.lines == [3, 4])
        #expect(file.playlists.map(\.name) == ["Shazam"])
        #expect(file.playlists.first?.entries.map(\.addedAt).first == Timestamp(rfc3339: "2024-12-14T00:00:00Z"))
    }

    @Test(
        "Tables of other programs are read by the columns that they have",
        arguments: [
            "Video ID,Song Title,Album Title,Artist Name 1,Artist Name 2\nx,One,LP,Ada,Bob\n",
            "title;artist;album;isrc\nOne;Ada, Bob;LP;\n", "Titel\tInterpret\tAlbum\nOne\tAda, Bob\tLP\n",
            "Name\tArtist\tAlbum\tTime\tPlays\tDate Modified\nOne\tAda, Bob\tLP\t225\t4\t2024-04-01 08:00\n",
            "曲名,アーティスト,アルバム\nOne,\"Ada, Bob\",LP\n", " Title , Artist ,Album\n One , \"Ada, Bob\" , LP \n",
        ])
    func otherTables(text: String) throws {
        let file = try FileItems(text)
        #expect(file.kind == .csv && file.skips == [] && file.listens == [])
        #expect(file.tracks.map { [$0.track.title, $0.track.artist, $0.track.album] } == [["One", "Ada, Bob", "LP"]])
    }

    @Test("White space before a quotation mark is ignored, and a row with more fields than headings is damaged")
    func fieldsOfARow() throws {
        let file = try FileItems(
            "Title, Artist\n\"Smile, Though\", \"A \"\"B\"\", C\"\n\t\"x\"\t,  Ada  \nA \"quoted\" word, Ada \"B\"\n"
                + "\"a \"stray\", mark\", Ada\nC, Cid, more\nD, Dan,,\n")
        #expect(file.tracks.map(\.track.title) == ["Smile, Though", "x", "A \"quoted\" word", "D"])
        #expect(file.tracks.map(\.track.artist) == ["A \"B\", C", "Ada", "Ada \"B\"", "Dan"])
        #expect(file.skips.count == 2 && file.skips.allSatisfy { $0.contains("more fields") }, "\(file.skips)")
    }

    // MARK: Playlists

    @Test("ListenBrainz' playlists keep the recording and the time of adding")
    func listenBrainzPlaylist() throws {
        let song = """
            {"title":"One","identifier":["https://musicbrainz.org/recording/E8F9B188-f819-4e43-ab0f-4bd26ce9ff56"],
            "creator":"Ada","album":"LP","extension":{"https://musicbrainz.org/doc/jspf#track":
            {"added_by":"ada","added_at":"2020-11-27T10:45:49+00:00"}}}
            """
        let list =
            "{\"playlist\":{\"title\":\"P\",\"identifier\":\"https://listenbrainz.org/playlist/x\",\"track\":[\(song)]}}"
        for text in [list, "[\(list)]", "{\"playlists\":[\(list)],\"count\":1}"] {
            let file = try FileItems(text)
            #expect(file.kind == .jspf && file.failure == nil && file.skips == [])
            #expect(file.tracks.map(\.track.sourceID) == ["musicbrainz:recording:e8f9b188-f819-4e43-ab0f-4bd26ce9ff56"])
            #expect(file.playlists.first?.entries.first?.addedAt == Timestamp(rfc3339: "2020-11-27T10:45:49Z"))
        }
        let listed = try FileItems(#"{"playlists":[{"playlist":{"title":"P","track":[]}}]}"#)
        #expect(listed.playlists == [] && listed.skips == ["1: the file has no songs for the playlist “P”"])
        let bare = try FileItems(#"{"playlist":{"title":"P","track":[{"title":"One"}]}}"#)
        #expect(bare.skips == ["1: the song has no artist"] && bare.playlists.first?.entries.first?.title == "One")
    }

    @Test("XSPF is read as programs write it, with namespaces and extensions")
    func dialectsOfXSPF() throws {
        let file = try FileItems(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <playlist xmlns="http://xspf.org/ns/0/" xmlns:vlc="http://www.videolan.org/vlc/playlist/ns/0/" version="1">
              <title>Mine</title><creator>ada</creator><trackList>
                <track><location>file:///a.mp3</location><title>One &amp; two</title><creator>Ada</creator><album>LP</album>
                  <duration>200000</duration><trackNum>3</trackNum>
                  <extension application="http://www.videolan.org/vlc/playlist/0"><vlc:id>0</vlc:id></extension></track>
                <track><location>https://open.spotify.com/track/4uLU6hMCjMI75M1A2tKUQC</location><title>Two</title>
                  <creator>Bob</creator></track>
                <track><title>Three</title></track>
              </trackList><annotation>x</annotation></playlist>
            """)
        #expect(file.kind == .xspf && file.failure == nil && file.tracks.map(\.track.title) == ["One & two", "Two"])
        #expect(file.tracks[0].track.durationMs == 200_000 && file.tracks[0].track.trackNumber == 3)
        #expect(file.tracks[1].track.sourceID == "spotify:track:4uLU6hMCjMI75M1A2tKUQC")
        let playlist = try #require(file.playlists.first)
        #expect(
            playlist.name == "Mine" && playlist.description == "x"
                && playlist.entries.map(\.title) == [nil, nil, "Three"])
        #expect(file.skips.count == 1 && file.skips[0].hasSuffix(": the song has no artist"))
        #expect(try FileItems("<playlist><title>P</title></playlist>").playlists == [])
    }

    // MARK: Refusals

    @Test(
        "An unrecognized file is refused with what was found in it",
        arguments: [
            ("a,b\n1,2\n", "“a”, “b”"), ("Title,Length\nOne,3:20\n", "“Title”, “Length”"),
            ("Album URI,Album Name,Album Artist Name(s),Saved At\nx,LP,Ada,2024-01-01\n", "“Album Name”"),
            (#"{"listens": []}"#, "“listens”"), (#"[{"title":"x","url":"y"}]"#, "“title”, “url”"),
            (#"{"playlists":[{"id":1,"title":"P"}]}"#, "“playlists”"), (#"{"tracks":[1,2]}"#, "“tracks”"),
            (#"[{"title":"x","artist":"y","timestamp":1711958400}]"#, "“timestamp”"),
            (#"{"tracks":[{"title":"x","artist":"y","played_at":"2024-04-01T08:00:00Z"}]}"#, "“tracks”"),
            (#"[{"header":"YouTube Music","title":"Watched x","time":"2024-04-01T08:00:00Z"}]"#, "“header”"),
            ("<html><body/></html>", "a web page"), ("[]", "no named members"), ("Just a text.", "“Just a text.”"),
        ])
    func unrecognizedFiles(text: String, found: String) throws {
        let error = #expect(throws: LibraryFileError.self) { try FileItems(text) }
        #expect(error?.description.contains(found) == true, "\(error?.description ?? "")")
    }

    @Test("Words in texts do not change how a file is recognized")
    func wordsInTexts() throws {
        let text =
            #"[{"title":"\"ts\" and \"ms_played\"","artist":"track_metadata","album":"\"playlist\":{\"track\":[]}"}]"#
        let file = try FileItems(text)
        #expect(file.kind == .backline && file.tracks.count == 1)
    }

    @Test("Line breaks in names become spaces")
    func lineBreaks() throws {
        let json = #"[{"title":"One\r\ntwo \n three","artist":"A\u2028B","album":"\nC\u0085D\u000B"}]"#
        let song = try #require(try FileItems(json).tracks.first?.track)
        #expect(song.title == "One two three" && song.artist == "A B" && song.album == "C D")
        let listen = #"{"listened_at":1749780612,"track_metadata":{"track_name":"One\ntwo","artist_name":"Ada\r"}}"#
        #expect(try FileItems(listen).listens.map { [$0.title, $0.artist] } == [["One two", "Ada"]])
    }
}
