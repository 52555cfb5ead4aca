import Foundation
import LibraryFiles
import Model
import TestSupport
import Testing

extension FileItems {
    var listens: [FileListen] {
        items.compactMap { if case .listen(let listen, _) = $0 { listen } else { nil } }
    }

    var continued: Int { items.count { if case .continued = $0 { true } else { false } } }
}

@Suite("Listen files")
struct ListenFileTests {
    @Test("A short song that was played to the end counts, and one that was skipped does not")
    func shortSongs() throws {
        let rows = [("trackdone", 22_000), ("fwdbtn", 22_000), ("trackdone", 0)].enumerated().map { place, play in
            "{\"ts\":\"2025-04-28T21:0\(place):35Z\",\"ms_played\":\(play.1),\"reason_end\":\"\(play.0)\","
                + "\"master_metadata_track_name\":\"\(place)\",\"master_metadata_album_artist_name\":\"Ada\"}"
        }
        let items = try FileItems("[" + rows.joined(separator: ",") + "]")
        #expect(items.listens.map(\.title) == ["0"])
        #expect(items.skips == ["2: it was played for only 22 s", "3: it was not played"])
        let table = try FileItems(
            "ts,ms_played,reason_end,Title,Artist\n2025-04-28T21:00:35Z,22000,trackdone,One,Ada\n"
                + "2025-04-28T21:09:35Z,22000,fwdbtn,Two,Ada\n")
        #expect(table.listens.map(\.title) == ["One"] && table.skips == ["3: it was played for only 22 s"])
    }

    private static func history(_ plays: [(song: Character, milliseconds: Int, end: String)]) -> String {
        let rows = plays.enumerated().map { place, play in
            let id = String(repeating: play.song, count: 22)
            return "{\"ts\":\"2025-04-28T\(10 + place):00:00Z\",\"ms_played\":\(play.milliseconds),"
                + "\"reason_end\":\"\(play.end)\",\"master_metadata_track_name\":\"\(play.song)\","
                + "\"master_metadata_album_artist_name\":\"Ada\",\"spotify_track_uri\":\"spotify:track:\(id)\"}"
        }
        return "[" + rows.joined(separator: ",\n") + "]"
    }

    @Test("In Spotify's history, a song is as long as its plays to the end, whichever row comes first")
    func lengthsOfSongs() throws {
        let items = try FileItems(
            Self.history([
                ("a", 35_000, "fwdbtn"), ("a", 360_000, "trackdone"), ("a", 180_000, "fwdbtn"),
                ("a", 179_000, "endplay"),
                // Four minutes of any song are enough.
                ("b", 900_000, "trackdone"), ("b", 240_000, "fwdbtn"), ("b", 239_000, "fwdbtn"),
                // Half of a short song is enough.
                ("c", 40_000, "trackdone"), ("c", 20_000, "fwdbtn"),
                // Nothing says how long this one is.
                ("d", 35_000, "fwdbtn"), ("d", 29_000, "fwdbtn"),
            ]))
        #expect(
            items.listens.map { "\($0.title) \($0.playedMs ?? 0)" } == [
                "a 360000", "a 180000", "b 900000", "b 240000", "c 40000", "c 20000", "d 35000",
            ])
        #expect(
            items.skips == [
                "1: it was played for only 35 s", "4: it was played for only 179 s", "7: it was played for only 239 s",
                "11: it was played for only 29 s",
            ])
        // The length is only derived from other plays, so it is not part of the listen.
        #expect(items.listens.allSatisfy { $0.durationMs == nil })
    }

    @Test("A play to the end that skipped or repeated a part of its song is outvoted; a tie leaves the length unknown")
    func votesOnLengths() throws {
        let items = try FileItems(
            Self.history([
                ("a", 20_000, "trackdone"), ("a", 200_500, "trackdone"), ("a", 900_000, "trackdone"),
                ("a", 200_000, "trackdone"), ("a", 201_000, "trackdone"), ("a", 100_500, "fwdbtn"),
                ("a", 99_000, "fwdbtn"),
                ("b", 20_000, "trackdone"), ("b", 200_000, "trackdone"), ("b", 35_000, "fwdbtn"),
            ]))
        #expect(
            items.listens.map { "\($0.title) \($0.playedMs ?? 0)" } == [
                "a 200500", "a 900000", "a 200000", "a 201000", "a 100500", "b 20000", "b 200000", "b 35000",
            ])
        #expect(items.skips == ["1: it was played for only 20 s", "7: it was played for only 99 s"])
    }

    @Test("A length needs more than half of a song's plays to the end, and one below 30 s needs two of them")
    func agreedLengths() throws {
        let items = try FileItems(
            Self.history([
                ("a", 200_000, "trackdone"), ("a", 100_000, "trackdone"), ("a", 7_000, "trackdone"),
                ("a", 60_000, "fwdbtn"), ("a", 20_000, "fwdbtn"),
                ("b", 5_000, "trackdone"), ("b", 10_000, "fwdbtn"),
                ("c", 20_000, "trackdone"), ("c", 20_500, "trackdone"), ("c", 12_000, "fwdbtn"),
            ]))
        #expect(
            items.listens.map { "\($0.title) \($0.playedMs ?? 0)" } == [
                "a 200000", "a 100000", "a 7000", "a 60000", "b 5000", "c 20000", "c 20500", "c 12000",
            ])
        #expect(items.skips == ["5: it was played for only 20 s", "7: it was played for only 10 s"])
    }

    @Test("A length is found after many others that only one play had")
    func lengthAmongMany() throws {
        let odd = [40_000, 50_000, 60_000, 70_000].map { (song: Character("a"), milliseconds: $0, end: "trackdone") }
        let whole = Array(repeating: (song: Character("a"), milliseconds: 200_000, end: "trackdone"), count: 6)
        let parts = [90_000, 100_000].map { (song: Character("a"), milliseconds: $0, end: "fwdbtn") }
        let items = try FileItems(Self.history(odd + whole + parts))
        #expect(items.listens.compactMap(\.playedMs) == Array(repeating: 200_000, count: 6) + [100_000])
        #expect(items.skips.map { $0.prefix { $0 != ":" } } == ["1", "2", "3", "4", "11"])
    }

    @Test("A history that breaks off reveals lengths up to that point")
    func lengthsOfBrokenHistory() throws {
        let whole = Self.history([("a", 35_000, "fwdbtn"), ("a", 360_000, "trackdone"), ("a", 90_000, "fwdbtn")])
        let items = try FileItems(String(whole.dropLast(60)))
        #expect(items.listens.map(\.playedMs) == [360_000] && items.skips.first == "1: it was played for only 35 s")
    }

    @Test("Spotify's extended history: ends, private sessions, podcasts, short plays and broken rows")
    func spotifyHistory() throws {
        let items = try FileItems(
            """
            \u{FEFF}[{"ts":"2025-04-28T21:04:35Z","ms_played":181000,"ip_addr":"192.0.2.7","platform":"ios",
            "master_metadata_track_name":" One ","master_metadata_album_artist_name":"Ada",
            "master_metadata_album_album_name":"Album","spotify_track_uri":"spotify:track:3aJ2aJz5xL03hpaqdPS7Ah",
            "incognito_mode":null,"skipped":null},
            {"ts":"2025-04-28T21:05:35Z","ms_played":29999,"master_metadata_track_name":"Two",
            "master_metadata_album_artist_name":"Ada","spotify_track_uri":"spotify:track:1"},
            {"ts":"2025-04-28T21:06:35Z","ms_played":90000,"master_metadata_track_name":null,"episode_name":"Talk"},
            {"ts":"2025-04-28T21:09:35Z","ms_played":90000,"master_metadata_track_name":"Three",
            "master_metadata_album_artist_name":"Eve","incognito_mode":true},
            {"ts":"yesterday","ms_played":90000,"master_metadata_track_name":"Four",
            "master_metadata_album_artist_name":"Eve"},
            {"ts":7}]
            """)
        #expect(items.kind == .spotifyHistory && items.failure == nil)
        #expect(items.listens.map(\.title) == ["One", "Three"])
        let one = try #require(items.listens.first)
        #expect(one.isEnd && one.playedMs == 181_000 && one.spotifyID == "3aJ2aJz5xL03hpaqdPS7Ah")
        #expect(one.album == "Album" && !one.isPrivate && one.details == nil)
        #expect(items.listens[1].isPrivate)
        #expect(
            items.skips == [
                "2: it was played for only 29 s", "3: it is not music", "5: its time is missing or cannot be read",
                "6: the time for which it was played is missing or cannot be read",
            ])
    }

    @Test("Spotify's account data has times to the minute, and no ids")
    func accountData() throws {
        let items = try FileItems(
            """
            [ { "endTime" : "2024-10-10 07:59", "artistName" : "Ada", "trackName" : "One", "msPlayed" : 31000 },
              { "endTime" : "2024-10-10 08:59", "artistName" : "Unknown Artist", "trackName" : "Unknown Track",
                "msPlayed" : 31000 } ]
            """)
        #expect(items.kind == .spotifyAccountData)
        #expect(items.listens.first?.precision == .minute && items.listens.first?.isEnd == true)
        #expect(items.listens.first?.time.description == "2024-10-10T07:59:00.000000Z")
        #expect(items.skips == ["2: the service does not name the song"])
    }

    @Test("Last.fm's pages and CSV, with and without a header line")
    func filesOfLastFM() throws {
        let pages = try FileItems(
            """
            [{"track":[{"artist":{"mbid":"","#text":"Ada"},"mbid":"","album":{"#text":""},"name":"One",
            "date":{"uts":"1749776100","#text":"13 Jun 2025, 00:55"}},
            {"artist":{"name":"Ada"},"name":"Now","@attr":{"nowplaying":"true"}}]}]
            """)
        #expect(pages.kind == .lastfm && pages.listens.map(\.title) == ["One"])
        #expect(pages.listens.first?.album == nil && pages.listens.first?.recordingMBID == nil)
        #expect(pages.skips == ["2: its time is missing or cannot be read"])
        let head = try FileItems(
            "uts,utc_time,artist,artist_mbid,album,album_mbid,track,track_mbid\r\n"
                + "1767217080,\"31 Dec 2025, 21:38\",Ada,,Album,,\"One, two\",\r\n"
                + ",\"31 Dec 2025, 21:38\",Ada,,,,Three,\r\n")
        #expect(head.listens.map(\.title) == ["One, two", "Three"])
        #expect(head.listens.map(\.precision) == [.second, .minute])
        #expect(head.listens[1].time.description == "2025-12-31T21:38:00.000000Z")
        let bare = try FileItems("Ada,Album,One,\"19 Aug 2026, 20:48\"\nAda,,Two,\"1 Jan 2026, 00:05\"\n")
        #expect(bare.listens.map(\.title) == ["One", "Two"] && bare.kind == .lastfm)
    }

    @Test("Parts of an Apple play are joined where their positions continue, in whatever order they come")
    func playActivity() throws {
        let head =
            "Artist Name,Content Name,Device Identifier,End Position In Milliseconds,Event End Timestamp,Event Type,"
            + "Item Type,Media Duration In Milliseconds,Play Duration Milliseconds,Start Position In Milliseconds\n"
        func row(_ end: String, _ from: Int, _ to: Int, type: String = "", item: String = "ITUNES_STORE_CONTENT")
            -> String
        {
            "Ada,One,D1,\(to),2016-05-29T\(end)Z,\(type),\(item),200000.0,\(to - from),\(from)\n"
        }
        let items = try FileItems(
            head + row("01:30:00.500", 60_900, 190_000, type: "PLAY_END") + row("01:21:00", 0, 60_000)
                + row("02:00:00", 0, 60_000) + row("02:02:00", 62_000, 200_000) + row("03:00:00", 9, 5)
                + row("03:10:00", 0, 200_000, item: "AD") + row("03:20:00", 0, 200_000, type: "LYRIC_DISPLAY"))
        #expect(items.kind == .appleMusicActivity)
        #expect(items.listens.map(\.playedMs) == [189_100, 138_000])
        #expect(items.listens.first?.time.description == "2016-05-29T01:20:00.000000Z")
        #expect(items.continued == 1)
        #expect(
            items.skips == [
                "6: it was not played", "7: it is not music", "8: it is not the end of a play (LYRIC_DISPLAY)",
                "4: it was played for only 60 s",
            ])
    }

    @Test("ListenBrainz lines are read with their details; the other files of its exports have no rows")
    func listenBrainz() throws {
        let items = try FileItems(
            """
            {"inserted_at":1.5,"listened_at":1749780612,"track_metadata":{"track_name":"One","artist_name":"Ada",
            "release_name":"","mbid_mapping":null,"recording_msid":"x","additional_info":{"duration_ms":245000,
            "isrc":"abc","x":{"y":1},"submission_client":"web"}}}
            {"listened_at":1749780613,"track_metadata":{"track_name":"","artist_name":"Ada"}}
            """)
        #expect(items.kind == .listenBrainz)
        let one = try #require(items.listens.first)
        #expect(one.durationMs == 245_000 && one.isrc == "ABC" && one.client == "web" && one.album == nil)
        #expect(one.details?.contains(#""x":{"y":1}"#) == true)
        #expect(items.skips == ["2: it has no title or no artist"])
        #expect(throws: LibraryFileError.self) { try FileItems(#"{"user_id":1,"username":"ada"}"#) }
    }

    @Test("Pages of ListenBrainz' API are read, and a listen that cannot be read is listed")
    func pagesOfListenBrainz() throws {
        let listen = #"{"listened_at":1749780612,"track_metadata":{"track_name":"One","artist_name":"Ada"}}"#
        let page = try FileItems("{\"payload\":{\"count\":2,\"listens\":[\(listen),{\"track_metadata\":7},\(listen)]}}")
        #expect(page.kind == .listenBrainz && page.listens.map(\.title) == ["One", "One"])
        #expect(page.skips == ["2: it is not a listen, or a value has the wrong type"])
        let sent = try FileItems("{\"listen_type\":\"import\",\"payload\":[\(listen)]}\n\(listen)")
        #expect(sent.listens.count == 2 && sent.skips == [])
        let track = ##"{"name":"One","artist":{"#text":"Ada"},"date":{"uts":"1749776100"}}"##
        let lastfm = try FileItems("[{\"track\":[\(track),{\"name\":{}},\(track)]}]")
        #expect(lastfm.listens.count == 2 && lastfm.skips.count == 1)
    }

    @Test(
        "The recorded exports have as many listens as a person counts in the files",
        .enabled(if: RecordedPayloads.listens.areAvailable, Comment(rawValue: RecordedPayloads.missing)),
        arguments: [
            // Of 39 rows, those of 30 s and longer.
            ("Streaming_History_Audio_2025.json", 17, 0, 22),
            // One of five was not played.
            ("endsong_0_old_fields.json", 4, 0, 1),
            ("lastfm_recenttracks_1749776100.json", 10, 0, 0),
            ("listenbrainz_export_1749780844.zip", 5, 0, 0),
            // Of 80 rows, those of 30 s and longer.
            ("lb_get_listens_first8of25.json", 8, 0, 0),
            ("StreamingHistory_music_0_last80.json", 72, 0, 8),
            ("Apple_Music_Play_Activity_trimmed.csv", 18, 0, 48),
        ])
    func recordedExports(name: String, listens: Int, continued: Int, skipped: Int) throws {
        let items = try FileItems(try RecordedPayloads.listens.data(name))
        #expect(items.failure == nil)
        #expect(items.listens.count == listens && items.continued == continued && items.skips.count == skipped)
    }
}
