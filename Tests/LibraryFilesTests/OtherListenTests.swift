import Foundation
import LibraryFiles
import Model
import Testing

@Suite("Listens of other programs")
struct OtherListenTests {
    /// Files with two listens of the same song, at 8 and at 9 o'clock.
    private static let files: [(text: String, kind: LibraryFileKind)] = [
        (
            "\u{FEFF}Artist;Album;AlbumId;Track;Date#some_user\n\"Ada; Bob\";\"LP\";\"\";\"One\";\"1711958400000\"\n"
                + "\"Ada; Bob\";\"LP\";\"\";\"One\";\"1711962000000\"\n", .lastfm
        ),
        (
            #"{"username":"x","scrobbles":[{"track":"One","artist":"Ada; Bob","album":"LP","albumId":"","date":1711958400000},"#
                + #"{"track":["One"],"artist":"Ada; Bob","album":"LP","date":"1711962000000"}]}"#, .lastfm
        ),
        (
            "artist,album,track,utc_time\nAda; Bob,LP,One,\"1 Apr 2024, 08:00\"\nAda; Bob,LP,One,\"01 Apr 2024, 09:00\"\n",
            .lastfm
        ),
        ("Ada; Bob,LP,One,01 Apr 2024 08:00\nAda; Bob,LP,One,01 Apr 2024 09:00\n", .lastfm),
        (
            "timeHuman,timeMs,artist,track,album,durationMs,mediaPlayerName,event\n"
                + "x,1711958400000,Ada; Bob,One,LP,,Player,scrobble\nx,1711962000000,Ada; Bob,One,LP,,Player,scrobble\n",
            .listenTable
        ),
        (
            "Artist,Title,Album,When\nAda; Bob,One,LP,2024-04-01 08:00:00\nAda; Bob,One,LP,2024-04-01T09:00:00Z\n",
            .listenTable
        ),
        ("Artist\tTitle\tAlbum\tDate\nAda; Bob\tOne\tLP\t1711958400\nAda; Bob\tOne\tLP\t1711962000\n", .listenTable),
        (
            "Time,Track,Artist,Album\n2024-04-01 08:00,One,Ada; Bob,LP\n2024-04-01 10:00+01:00,One,Ada; Bob,LP\n",
            .listenTable
        ),
        (
            "Track,Artist,Album,Heard\nOne,Ada; Bob,LP,01.04.2024 08:00\nOne,Ada; Bob,LP,1.4.2024 9:00:00\n",
            .listenTable
        ),
        (
            "Track,Artist,Album,Day\nOne,Ada; Bob,LP,2024/04/01 08:00:00\nOne,Ada; Bob,LP,2024/4/1 9:00 AM\n",
            .listenTable
        ),
        (
            "Heard,Track,Artist,Album\n\"April 1, 2024 at 08:00AM\",One,Ada; Bob,LP\n"
                + "\"1 April 2024, 9:00:00\",One,Ada; Bob,LP\n", .listenTable
        ),
        (
            #"{"maloja":{"export_time":1},"scrobbles":[{"time":1711958400,"track":{"artists":["Ada; Bob"],"title":"One","#
                + #""album":{"artists":null,"albumtitle":"LP"},"length":null},"duration":null,"origin":"x"},"#
                + #"{"time":"1711962000.0","track":{"artists":"Ada; Bob","title":"One","album":{"name":"LP"}}}]}"#,
            .maloja
        ),
        (
            #"{"status":"ok","list":[{"time":1711958400,"track":{"artists":["Ada; Bob"],"title":"One","album":"LP"}},"#
                + #"{"time":1711962000,"track":{"artists":["Ada; Bob"],"title":"One","album":"LP"}}]}"#, .maloja
        ),
        (
            #"{"version":"1","exported_at":"2026-01-01T00:00:00Z","user":"x","listens":["#
                + ["2024-04-01T08:00:00Z", "2024-04-01T09:00:00Z"].map { time in
                    "{\"listened_at\":\"\(time)\",\"client\":\"c\",\"track\":{\"mbid\":null,\"duration\":200,\"aliases\":"
                        + "[{\"alias\":\"1\",\"is_primary\":false},{\"alias\":\"One\",\"is_primary\":true}]},\"album\":"
                        + "{\"aliases\":[{\"alias\":\"LP\",\"is_primary\":true}]},\"artists\":[{\"is_primary\":true,\"aliases\":"
                        + "[{\"alias\":\"Ada; Bob\",\"is_primary\":true}]}]}"
                }.joined(separator: ",") + "]}", .koito
        ),
        (
            ##"[[{"name":"One","artist":{"#text":"Ada; Bob"},"album":{"#text":"LP"},"date":{"uts":1711958400}}],"##
                + ##"[{"name":"One","artist":{"name":"Ada; Bob"},"album":["LP"],"date":{"uts":"1711962000"}}]]"##,
            .lastfm
        ),
        (
            ##"{"recenttracks":{"track":{"name":"One","artist":{"#text":"Ada; Bob"},"album":{"#text":"LP"},"##
                + ##""date":{"uts":"1711958400"}},"@attr":{"page":"1"}}}"## + "\n"
                + ##"{"recenttracks":{"track":[{"name":"One","artist":"Ada; Bob","album":"LP","date":{"uts":"1711962000"}}]}}"##,
            .lastfm
        ),
    ]

    @Test("A table or file whose rows have times of plays is a history", arguments: files.map(\.text))
    func rowsWithTimesOfPlays(text: String) throws {
        let file = try FileItems(text)
        #expect(file.failure == nil && file.tracks == [] && file.skips == [], "\(file)")
        #expect(file.kind == Self.files.first { $0.text == text }?.kind)
        #expect(
            file.listens.map { [$0.title, $0.artist, $0.album] } == [
                ["One", "Ada; Bob", "LP"], ["One", "Ada; Bob", "LP"],
            ])
        let times = ["2024-04-01T08:00:00.000000Z", "2024-04-01T09:00:00.000000Z"]
        #expect(file.listens.map(\.time.description) == times)
    }

    @Test("ListenBrainz' own findings are read, and what the program reported takes precedence")
    func findingsOfListenBrainz() throws {
        let (said, found) = ("7a0c1b8e-3a54-4f0e-9c55-0a7d4c1b2e3f", "6f0c1b8e-3a54-4f0e-9c55-0a7d4c1b2e3f")
        func line(_ info: String, _ mapping: String) -> String {
            "{\"listened_at\":1711958400,\"track_metadata\":{\"artist_name\":\"Ada\",\"track_name\":\"One\","
                + "\"additional_info\":\(info),\"mbid_mapping\":\(mapping)}}"
        }
        let mapping = "{\"recording_mbid\":\"\(found.uppercased())\",\"artists\":[]}"
        let file = try FileItems(
            [
                line("{}", mapping), line("[]", mapping), line("null", mapping),
                line("{\"recording_mbid\":\"\"}", mapping),
                line("{\"recording_mbid\":\"\(said)\"}", mapping), line("{\"recording_mbid\":[\"\(said)\"]}", "null"),
                line("{}", "[]"), line("[]", "null"),
            ].joined(separator: "\n"))
        #expect(file.skips == [])
        #expect(file.listens.map(\.recordingMBID) == [found, found, found, found, said, said, nil, nil])
    }

    @Test("A value of another JSON type is accepted if its meaning is plain")
    func valuesOfOtherTypes() throws {
        let lines = [
            #"{"listened_at":"1711958400.0","track_metadata":{"track_name":1999,"artist_name":["Ada"],"release_name":false,"#
                + #""additional_info":{"duration_ms":"222000.0","submission_client":["web"]}}}"#,
            #"{"listened_at":1711958400.7,"track_metadata":[{"track_name":"1999","artist_name":"Ada","release_name":[],"#
                + #""additional_info":[{"duration":"222.9","submission_client":"web"}]}]}"#,
        ]
        for line in lines {
            let listen = try #require(try FileItems(line).listens.first, "\(line)")
            #expect(listen.title == "1999" && listen.artist == "Ada" && listen.album == nil && listen.client == "web")
            #expect(listen.durationMs == 222_000 && listen.time.description == "2024-04-01T08:00:00.000000Z")
        }
        let spotify = try FileItems(
            #"[{"ts":"2025-04-28T21:04:35Z","ms_played":"90000.0","master_metadata_track_name":["One"],"#
                + #""master_metadata_album_artist_name":"Ada","master_metadata_album_album_name":[],"incognito_mode":"true"}]"#
        )
        #expect(spotify.listens.first?.playedMs == 90_000 && spotify.listens.first?.isPrivate == true)
        let song = try FileItems(
            #"{"backline":1,"tracks":[{"title":["A"],"artist":7,"genres":"g","durationMs":"1234","explicit":1}]}"#)
        let track = try #require(song.tracks.first?.track)
        #expect(track.title == "A" && track.artist == "7" && track.genres == ["g"])
        #expect(track.durationMs == 1_234 && track.isExplicit == true)
    }

    @Test("A listen at an impossible time is skipped with the reason")
    func impossibleTimes() throws {
        let file = try FileItems(
            "listened_at,title,artist\n1970-01-01T00:00:00Z,One,Ada\n2002-09-30T23:59:59Z,One,Ada\n2002-10-01T00:00:00Z,One,Ada\n"
        )
        #expect(file.listens.count == 1)
        #expect(file.skips.count == 2 && file.skips.allSatisfy { $0.contains("before October 2002") })
        let zero = #"{"listened_at":0,"track_metadata":{"track_name":"One","artist_name":"Ada"}}"#
        #expect(
            try FileItems(zero).skips == ["1: its time is before October 2002, when the first listens were recorded"])
    }

    @Test("Tables with times other than those of plays are tables of songs")
    func otherMoments() throws {
        for text in [
            "Title,Artist,Added\nOne,Ada,2024-04-01T08:00:00Z\n",
            "Title,Artist,Last played\nOne,Ada,2024-04-01 08:00\n",
            "Title,Artist,Play Count,When\nOne,Ada,3,2024-04-01 08:00\n",
            "Title,Artist,Deezer - id\nOne,Ada,1440857781\n",
            "Title,Artist,Duration,Released\nOne,Ada,3:45,2024-04-01\n",
            "Name\tInterpret\tÄnderungsdatum\tHinzugefügt am\nOne\tAda\t01.04.2024 08:00\t31.03.2024 07:00\n",
            "Title,Artist,Ajout,Modification\nOne,Ada,04/01/2024 08:00,04/02/2024 08:00\n",
        ] {
            let file = try FileItems(text)
            #expect(file.kind == .csv && file.tracks.count == 1 && file.listens == [], "\(text)")
        }
    }

    @Test("A table is refused if the month of its times is ambiguous")
    func ambiguousMoments() throws {
        for head in ["Heard", "Played At", "Timestamp"] {
            for moment in ["04/01/2024 08:00", "4/1/24 8:00 PM", "\"04/01/2024, 08:00:30\""] {
                let error = #expect(throws: LibraryFileError.self) {
                    try FileItems("Title,Artist,\(head)\nOne,Ada,\(moment)\n")
                }
                #expect(error?.description.contains("which number is the month") == true, "\(head) \(moment)")
            }
        }
        // One of them says it for all.
        let file = try FileItems("Title,Artist,Played At\nOne,Ada,04/01/2024 08:00\nTwo,Ada,2024-01-14 08:00\n")
        #expect(file.listens.count == 1 && file.skips.count == 1)
    }

    @Test("Plays keep their precision through Backline's exports")
    func precisionOfPlays() throws {
        var listen = try #require(
            FileListen(title: "One", artist: "Ada", album: nil, time: Timestamp(microseconds: 1_711_958_400_000_000)))
        listen.isExported = true
        for precision in [FileListen.Precision.minute, .second, .millisecond] {
            listen.precision = precision
            listen.spotifyID = "4uLU6hMCjMI75M1A2tKUQC"
            let csv = String(decoding: ListenCSV.head + ListenCSV.row(listen, sources: ["lastfm"]), as: UTF8.self)
            #expect(try FileItems(csv).listens == [listen] && FileItems(csv).kind == .listens)
            let line =
                "{\"listened_at\":1711958400,\"track_metadata\":{\"track_name\":\"One\",\"artist_name\":\"Ada\","
                + "\"additional_info\":{\"backline_listened_at\":\"2024-04-01T08:00:00Z\",\"backline_precision\":\"\(precision.rawValue)\"}}}"
            #expect(try FileItems(line).listens.map(\.precision) == [precision])
        }
    }
}
