import Foundation
import TestSupport

// The readers are the target's own.
@testable import LibraryFiles

extension HostileParser {
    /// The readers of files that people import.
    static let files: [HostileParser] = [
        // Reads all tables: songs, listens, and tables that are neither.
        HostileParser("csv", mostMemory: 60, seeds: csvSeeds) { readWhole($0, name: "a.csv") },
        HostileParser("listens-csv", mostMemory: 20, seeds: listenSeeds + lastfmCSVSeeds) { readWhole($0) },
        HostileParser("apple-activity", mostMemory: 200, seeds: activitySeeds) {
            read($0) { try PlayActivityReader(try TextBytes($0)) }
        },
        HostileParser("property-list", mostMemory: 60, seeds: propertyListSeeds) { bytes in
            read(bytes) { source in
                try PropertyListReader(source) { () throws(LibraryFileError) in MemoryBytes(bytes) }
            }
        },
        HostileParser("xspf", mostMemory: 60, seeds: xspfSeeds) { read($0) { try XSPFReader($0) } },
        HostileParser("jspf", mostMemory: 60, seeds: jspfSeeds) { read($0) { try JSPFReader(try TextBytes($0)) } },
        HostileParser("backline-json", mostMemory: 180, seeds: backlineSeeds) { bytes in
            for isOwn in [true, false] {
                read(bytes) { source in
                    try BacklineReader(try TextBytes(source), isOwn: isOwn) { () throws(LibraryFileError) in
                        try TextBytes(MemoryBytes(bytes))
                    }
                }
            }
        },
        HostileParser("spotify-library", mostMemory: 60, seeds: spotifyLibrarySeeds) { bytes in
            read(bytes) { try SpotifyLibraryReader(try TextBytes($0)) }
            read(bytes) { try SpotifyPlaylistsReader(try TextBytes($0)) }
        },
        HostileParser("spotify-history", mostMemory: 50, seeds: spotifySeeds) { bytes in
            read(bytes) { source in
                var lengths = SpotifyLengths()
                try lengths.read { () throws(LibraryFileError) in try TextBytes(MemoryBytes(bytes)) }
                return try JSONListenReader.spotifyHistory(try TextBytes(source), lengths: lengths)
            }
            read(bytes) { try JSONListenReader.spotifyAccountData(try TextBytes($0)) }
        },
        HostileParser("listenbrainz", mostMemory: 60, seeds: listenBrainzSeeds) {
            read($0) { try JSONListenReader.listenBrainz(try TextBytes($0)) }
        },
        HostileParser("lastfm", mostMemory: 60, seeds: lastfmSeeds) { bytes in
            read(bytes) { try JSONListenReader.lastfm(try TextBytes($0)) }
            read(bytes) { try JSONListenReader.lastfmStats(try TextBytes($0)) }
        },
        HostileParser("other-listens", mostMemory: 20, seeds: otherListenSeeds) { bytes in
            read(bytes) { try JSONListenReader.koito(try TextBytes($0)) }
            read(bytes) { source in
                try JSONListenReader.maloja(try TextBytes(source)) { () throws(LibraryFileError) in
                    try TextBytes(MemoryBytes(bytes))
                }
            }
        },
        // Determines a file's format by its content, and runs all readers that may follow.
        HostileParser("library-file", mostMemory: 220, seeds: wholeSeeds) { readWhole($0) },
        HostileParser("zip", mostMemory: 220, seeds: zipSeeds) { bytes in
            guard let folder = try? TemporaryFolder() else { return }
            let path = folder.file("upload")
            guard (try? Data(bytes).write(to: URL(fileURLWithPath: path))) != nil,
                let file = try? LibraryFile(path: path)
            else { return }
            while let item = try? file.next() { _ = item.cleaned }
        },
    ]

    private static func read(
        _ bytes: [UInt8], with open: (any ByteSource) throws -> any LibraryFileReader
    ) {
        guard let reader = try? open(MemoryBytes(bytes)) else { return }
        while let item = try? reader.next() { _ = item.cleaned }
    }

    /// Reads a file like ``LibraryFile``, once its format is known.
    private static func readWhole(_ bytes: [UInt8], name: String? = nil) {
        let source: FileForm.Source = { MemoryBytes(bytes) }
        guard let form = try? FileForm(head: Array(bytes.prefix(4_096)), source),
            let opened = try? form.open(name: name)
        else { return }
        while let item = try? opened.1.next() { _ = item.cleaned }
    }

    // MARK: Seeds

    private static let csvSeeds = [
        "Title,Artist,Album\r\nOne,Ann,\"LP, \"\"1\"\"\"\r\n",
        "sep=;\nTitle;Artist;Duration (ms);Released;Added;Plays;Rating;URI\n"
            + "A;B;1234;1981-12;2020-02-29;3;60;4uLU6hMCjMI75M1A2tKUQC\n",
        "Track Name\tArtist Name(s)\tAdded By\tAdded At\tDuration\nA\tB\tx\t2020-02-29T23:59:58Z\t3:45\n",
        "title,artist,playlist,playlist id,genres\nA,B,P,1,x;y\\;z\n\"B,C,P\nC,\"\n\",Q\n",
        "Track name, Artist name,Playlist name,Type,Apple - id\n\"A\", \"B\" ,Library Songs,Favorite,1\nC,D,P,Album,\n",
        "Shazam Library\nIndex,TagTime,Title,Artist,URL,TrackKey\n1,2024-12-14,A,B,x,1\n",
    ]
    private static let listenSeeds = [
        "listened_at,title,artist,album,played_ms,duration_ms,isrc,client\n2025-04-28T21:04:35.5+01:00,X,Y,Z,1,2,us,c\n",
        "Artist;Album;AlbumId;Track;Date#x\nB;;;A;1711958400000\n", "When,Track,Artist\n2024-04-01 08:00,A,B\n",
    ]
    private static let xspfSeeds = [
        "<?xml version=\"1.0\"?><playlist version=\"1\" xmlns=\"http://xspf.org/ns/0/\"><title>P</title><trackList><track>"
            + "<title>A</title><creator>B</creator><duration>1</duration><location>x</location><extension application=\"x\">"
            + "<y/></extension></track><track/></trackList><identifier>i</identifier></playlist>"
    ]
    private static let spotifyLibrarySeeds = [
        "{\"tracks\":[{\"artist\":\"B\",\"album\":\"L\",\"track\":\"A\",\"uri\":\"spotify:track:4uLU6hMCjMI75M1A2tKUQC\"},0],"
            + "\"albums\":[{},{}],\"other\":[]}",
        "{\"playlists\":[{\"name\":\"P\",\"items\":[{\"track\":{\"trackName\":\"A\",\"artistName\":\"B\"},\"addedDate\":"
            + "\"2025-03-02\"},{\"track\":null,\"localTrack\":{\"uri\":\"spotify:local:B:L:A+%C3%A9:1\"}},{\"episode\":"
            + "{\"episodeName\":\"E\"}}],\"description\":null},7]}",
    ]
    private static let otherListenSeeds = [
        "{\"version\":\"1\",\"listens\":[{\"listened_at\":\"2024-04-01T08:00:00Z\",\"track\":{\"mbid\":null,\"duration\":1,"
            + "\"aliases\":[{\"alias\":\"A\",\"is_primary\":true}]},\"artists\":[{\"aliases\":[{\"alias\":\"B\"}]}]}]}",
        "{\"maloja\":{},\"scrobbles\":[{\"time\":1711958400,\"track\":{\"artists\":[\"B\"],\"title\":\"A\",\"album\":null}}]}",
        "{\"list\":[{\"time\":1711958400,\"track\":{\"artists\":\"B\",\"title\":1}}]}",
    ]
    private static var wholeSeeds: [String] {
        csvSeeds + listenSeeds + lastfmCSVSeeds + activitySeeds + xspfSeeds + jspfSeeds + backlineSeeds
            + spotifyLibrarySeeds + spotifySeeds + listenBrainzSeeds + lastfmSeeds + otherListenSeeds
    }
    private static let lastfmCSVSeeds = [
        "uts,utc_time,artist,album,track,track_mbid\n1749776100,,Y,,X,m\n", "Y,A,X,\"19 Aug 2026, 20:48\"\n",
    ]
    private static let activitySeeds = [
        "Artist Name,Content Name,End Position In Milliseconds,Event End Timestamp,Event Type,Media Duration In "
            + "Milliseconds,Play Duration Milliseconds,Start Position In Milliseconds,Device Identifier\n"
            + "Y,X,60000,2016-05-29T01:30:00Z,PLAY_END,120000,60000,0,d\n"
            + "Y,X,120000,2016-05-29T01:31:00.5Z,,1e5,60000,60000,d\n"
    ]
    private static let propertyListSeeds = [
        #"""
        <?xml version="1.0" encoding="UTF-8"?><!DOCTYPE plist PUBLIC "-//Apple Computer//DTD PLIST 1.0//EN" "x">
        <plist version="1.0"><dict>
        <key>Tracks</key><dict><key>1</key><dict><key>Track ID</key><integer>1</integer><key>Name</key>
        <string>A &amp; B</string><key>Persistent ID</key><string>0A</string><key>Podcast</key><true/></dict></dict>
        <key>Playlists</key><array><dict><key>Name</key><string>P</string>
        <key>Playlist Items</key><array><dict><key>Track ID</key><integer>1</integer></dict></array></dict></array>
        </dict></plist>
        """#,
        #"""
        <plist><dict><key>Playlists</key><array></array><!-- c --><key>Date</key><date>2020-01-01T00:00:00Z</date>
        <key>Tracks</key><dict><key>2</key><dict><key>Total Time</key><integer>-1</integer><![CDATA[x]]></dict></dict>
        </dict></plist>
        """#,
        #"""
        <!DOCTYPE plist [<!ENTITY a "b"><!ATTLIST key a CDATA "x">]><plist><dict a='b' xmlns:c='d'>&a;</dict></plist>
        """#,
    ]
    private static let song = #"""
        {"title":"A\u0042\ud83c\udfb5","artist":"Ann","id":"x","durationMs":1234,"genres":["g"],"rating":1e2}
        """#
    private static let backlineSeeds = [
        #"""
        {"backline":1,"tracks":[\#(song),{"uri":"spotify:track:4uLU6hMCjMI75M1A2tKUQC"}],
         "playlists":[{"id":"p","name":"P","entries":[{"track":"x","addedAt":"2020-02-29T23:59:58Z"},{"title":"gone"}]}]}
        """#,
        #"{"playlists":[{"entries":[{"track":"x"}]}, 5],"other":[{}],"tracks":[\#(song)]}"#, "[\(song), null]",
    ]
    private static let jspfSeeds = [
        #"""
        {"a":[],"playlist":{"title":"P","annotation":"x","identifier":"i","track":[
            {"title":"A","identifier":["x"],"duration":1,"extension":{"urn:backline:track":
                {"isrc":"USABC1234567","genres":["g"],"addedAt":"2020-02-29T23:59:58Z"}}}]}}
        """#
    ]
    private static let spotifySeeds = [
        #"""
        [{"ts":"2025-04-28T21:04:35Z","ms_played":90000,"master_metadata_track_name":"X","incognito_mode":true,
          "master_metadata_album_artist_name":"Y","spotify_track_uri":"spotify:track:1"},
         {"ts":"2025-04-28T22:04:35Z","ms_played":90000,"master_metadata_track_name":"X","reason_end":"trackdone",
          "master_metadata_album_artist_name":"Y","spotify_track_uri":"spotify:track:4uLU6hMCjMI75M1A2tKUQC"}]
        """#,
        #"[{"endTime":"2024-10-10 07:59","artistName":"Y","trackName":"X","msPlayed":60000}]"#,
    ]
    /// The JSON on one line, as in files with one listen per line.
    private static let listen =
        #"{"listened_at":1749780612,"track_metadata":{"track_name":"One","artist_name":"Ada","release_name":"L","#
        + #""additional_info":{"duration_ms":"1","backline_listened_at":"2020-02-29T23:59:58.123456Z","a":[{"b":-0.5}]}}}"#
    private static let listenBrainzSeeds = [
        "\(listen)\n\(listen)\n", "[\(listen)]", #"{"payload":{"listens":[\#(listen),0]}}"#,
        #"{"payload":[\#(listen)]}"#,
    ]
    private static let lastfmSeeds = [
        ##"[{"track":[{"name":"X","artist":{"#text":"Y"},"album":{"name":"Z"},"date":{"uts":"1749776100"}}]}]"##,
        #"{"recenttracks":{"track":{"name":"X","artist":{"name":"Y"},"date":{"uts":1}}}}"#,
    ]
    /// Two entries, one of them stored with a size of 64 bits.
    private static let zipSeeds: [[UInt8]] = {
        let csv = Data("Title,Artist\nA,B\n".utf8)
        return [
            ZipBytes.archive([("a.csv", csv), ("b.json", Data("[{\"title\":\"A\"}]".utf8))]),
            ZipBytes.archive(
                of: [.init(name: "a.csv", content: csv), .init(name: "b.csv", content: csv, size: .max)], hasEnd64: true
            ),
        ]
    }()
}

/// A file in memory.
private final class MemoryBytes: ByteSource {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(LibraryFileError) -> Int {
        let part = rest.prefix(buffer.count)
        buffer.copyBytes(from: part)
        rest = rest.dropFirst(part.count)
        return part.count
    }
}
