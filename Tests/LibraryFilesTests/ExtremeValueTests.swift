import Foundation
import LibraryFiles
import Model
import Testing

@Suite("Numbers and texts that no song has")
struct ExtremeValueTests {
    private static let numbers = [
        "-9223372036854775808", "9223372036854775807", "9223372036854775808", "-1", "0", "1e300", "-1e300", "1e15",
        "99999999999999", "99999999999999999", "4102444800", "NaN", "nan", "inf", "-inf", "0x7fffffffffffffff",
        String(repeating: "9", count: 400), "9223372036854775807:59", "9223372036854775807:59:59", "-5:-9",
        "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "9999-12-31", "99999-99-99T99:99:99Z",
        "99999999999999 Dec 9223372036854775807, 21:38",
    ]

    /// Files of every kind, with `@` in place of a value.
    private static let files: [String] = {
        let csv = ["Duration", "Duration (ms)"].map {
            "Title,Artist,\($0),Disc number,Track number,Released,Added,Plays,Last played,Rating\nX,Y,@,@,@,@,@,@,@,@\n"
        }
        let song = [
            "durationMs", "discNumber", "trackNumber", "releaseDate", "addedAt", "playCount", "lastPlayedAt", "rating",
        ]
        let keys = ["Total Time", "Disc Number", "Track Number", "Year", "Play Count", "Play Date", "Rating"]
        let members = keys.map { "<key>\($0)</key><integer>@</integer>" }.joined()
        let dates = ["Date Added", "Play Date UTC", "Release Date"]
            .map { "<key>\($0)</key><date>@</date>" }.joined()
        let activity =
            "Artist Name,Content Name,End Position In Milliseconds,Event End Timestamp,Media Duration In Milliseconds,"
            + "Play Duration Milliseconds,Start Position In Milliseconds\n"
        let json = { (text: String) in [text, text.replacing("@", with: "\"@\"")] }
        return csv
            + song.flatMap { json("[{\"title\":\"X\",\"artist\":\"Y\",\"\($0)\":@}]") }
            + ["duration", "trackNum"].flatMap {
                json("{\"playlist\":{\"title\":\"P\",\"track\":[{\"title\":\"X\",\"creator\":\"Y\",\"\($0)\":@}]}}")
            }
            + ["addedAt", "discNumber", "releaseDate"].flatMap {
                json(
                    "{\"playlist\":{\"title\":\"P\",\"track\":[{\"title\":\"X\","
                        + "\"extension\":{\"urn:backline:track\":{\"\($0)\":@}}}]}}")
            }
            + [
                "<plist><dict><key>Tracks</key><dict><key>1</key><dict><key>Track ID</key><integer>@</integer>"
                    + "<key>Name</key><string>X</string><key>Persistent ID</key><string>0A</string>\(members)\(dates)"
                    + "</dict></dict><key>Playlists</key><array><dict><key>Name</key><string>P</string>"
                    + "<key>Playlist Items</key><array><dict><key>Track ID</key><integer>@</integer></dict></array>"
                    + "</dict></array></dict></plist>",
                "listened_at,title,artist,played_ms,duration_ms\n2025-04-28T21:04:35Z,X,Y,@,@\n@,X,Y,@,@\n",
                "uts,utc_time,artist,album,track\n@,,Y,,X\n,@,Y,,X\n",
                "Y,A,X,\"19 Aug 2026, 20:48\"\nY,A,X,\"@\"\n",
                activity + "Y,X,@,2016-05-29T01:30:00Z,@,60000,@\nY,X,@,2016-05-29T01:31:00Z,@,@,@\nY,X,@,@,1,1,@\n"
                    + "Y,X,0,9999-12-31T23:59:59Z,@,@,0\nY,X,0,0001-01-01T00:00:00Z,1,@,0\n",
            ]
            + json(
                "[{\"ts\":\"2025-04-28T21:04:35Z\",\"ms_played\":@,"
                    + "\"master_metadata_track_name\":\"X\",\"master_metadata_album_artist_name\":\"Y\"}]"
            )
            + json("[{\"endTime\":\"2024-10-10 07:59\",\"artistName\":\"Y\",\"trackName\":\"X\",\"msPlayed\":@}]")
            + json("[{\"track\":[{\"name\":\"X\",\"artist\":{\"#text\":\"Y\"},\"date\":{\"uts\":@}}]}]")
            + json("{\"listened_at\":@,\"track_metadata\":{\"track_name\":\"X\",\"artist_name\":\"Y\"}}")
            + ["duration", "duration_ms", "duration_played", "backline_played_ms", "backline_listened_at"].flatMap {
                json(
                    "{\"listened_at\":1749780612,\"track_metadata\":{\"track_name\":\"X\",\"artist_name\":\"Y\","
                        + "\"additional_info\":{\"\($0)\":@}}}")
            }
    }()

    private static let moments = Timestamp(microseconds: 0)...Timestamp(microseconds: 4_102_444_800_000_000)

    @Test("Every reader survives every number, and passes on none that is out of range", arguments: files)
    func extremeNumbers(of file: String) throws {
        for number in Self.numbers {
            let items = try FileItems(file.replacing("@", with: number))
            for song in items.tracks.map(\.track) {
                #expect(song.durationMs.map { (1...604_800_000).contains($0) } ?? true)
                #expect(song.playCount.map { (0...1_000_000_000).contains($0) } ?? true)
                #expect([song.discNumber, song.trackNumber].allSatisfy { $0.map { (0...9_999).contains($0) } ?? true })
                #expect(song.rating.map { (0...100).contains($0) } ?? true)
                #expect([song.addedAt, song.lastPlayedAt].allSatisfy { $0.map(Self.moments.contains) ?? true })
                #expect(song.releaseDate.map { ("1000"..<"3000").contains($0.text) } ?? true)
            }
            for listen in items.listens {
                #expect(Self.moments.contains(listen.time))
                let lengths = [listen.durationMs, listen.playedMs]
                #expect(lengths.allSatisfy { $0.map { (1...604_800_000).contains($0) } ?? true })
            }
        }
    }

    @Test("A number out of range counts as missing, and the rest of its row is read")
    func numbersOutOfRange() throws {
        let file = try FileItems("Title,Artist,Duration,Plays\nX,Y,99999999999999999,-3\nZ,Y,3:20,4\n")
        #expect(file.tracks.map(\.track.durationMs) == [nil, 200_000])
        #expect(file.tracks.map(\.track.playCount) == [nil, 4] && file.skips == [])
        let listens = try FileItems(
            "uts,utc_time,artist,album,track\n1749776100000000,,Y,,X\n1749776100,,Y,,X\n")
        #expect(listens.skips == ["2: its time is missing or cannot be read"] && listens.listens.count == 1)
    }

    @Test("Overlong names are truncated, since the time to compare names grows with their length")
    func longNames() throws {
        let long = String(repeating: "夜", count: 50_000)
        let file = try FileItems("Title,Artist,Album\n\(long),\(long),\(long)\n")
        let track = try #require(file.tracks.first?.track)
        for name in [track.title, track.artist, track.album] {
            #expect(name.hasPrefix("夜夜") && name.hasSuffix("…") && name.utf8.count <= 2_010)
        }
    }

    @Test("Control characters are removed from all texts, so that exports can be read again")
    func controlCharacters() throws {
        let file = try FileItems(#"[{"title":"A\u0000B","artist":"\u0007Ann","album":"L\tP","genres":["\u0001"]}]"#)
        let track = try #require(file.tracks.first?.track)
        #expect(track.title == "AB" && track.artist == "Ann" && track.album == "L P" && track.genres == [])
        #expect(try FileItems(LibraryFileWriter.csvHead + LibraryFileWriter.csv(track)).tracks == file.tracks)
        #expect(try FileItems(#"[{"title":"\u0000","artist":"Ann"}]"#).skips == ["1: the song has no title"])
        let playlist = try FileItems(#"{"playlist":{"title":"P\u0000","track":[]}}"#).playlists.first
        #expect(playlist?.name == "P")
        let listen = try FileItems(
            #"{"listened_at":1749780612,"track_metadata":{"track_name":"O\u0000ne","artist_name":"Ada"}}"#)
        #expect(listen.listens.first?.title == "One")
    }
}
