import Foundation
import LibraryFiles
import Model
import TestSupport
import Testing

@Suite("The library that Apple's Music app exports")
struct PropertyListTests {
    private static func library(_ tracks: String, playlists: String = "", doctype: String = "") -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        \(doctype)
        <plist version="1.0"><dict>
        <key>Major Version</key><integer>1</integer>
        <key>Tracks</key><dict>
        \(tracks)
        </dict>
        <key>Playlists</key><array>\(playlists)</array>
        <key>Music Folder</key><string>file:///Music/</string>
        </dict></plist>
        """
    }

    private static func song(_ number: Int, _ key: String?, _ members: String) -> String {
        let id = key.map { "<key>Persistent ID</key><string>\($0)</string>" } ?? ""
        return "<key>\(number)</key><dict><key>Track ID</key><integer>\(number)</integer>\(id)\(members)</dict>"
    }

    @Test("Every fact about a song is read, except for ratings that the app computed")
    func factsOfASong() throws {
        let file = try FileItems(
            Self.library(
                Self.song(
                    7, "00C1AE8B98E885CB",
                    """
                    <key>Name</key><string>One &#38; Two</string><key>Artist</key><string>Ann</string>
                    <key>Album</key><string>LP</string><key>Album Artist</key><string>Ann &amp; Bob</string>
                    <key>Composer</key><string>Cole</string><key>Genre</key><string>Jazz</string>
                    <key>Total Time</key><integer>1234</integer><key>Disc Number</key><integer>2</integer>
                    <key>Track Number</key><integer>3</integer><key>Year</key><integer>1981</integer>
                    <key>Date Added</key><date>2020-02-29T23:59:58Z</date><key>Play Count</key><integer>12</integer>
                    <key>Play Date</key><integer>3500000000</integer>
                    <key>Play Date UTC</key><date>2021-01-02T03:04:05Z</date>
                    <key>Rating</key><integer>80</integer><key>Explicit</key><true/>
                    """)))
        #expect(file.kind == .appleMusicLibrary && file.failure == nil && file.skips == [])
        var wanted = SourceTrack(sourceID: "00C1AE8B98E885CB", title: "One & Two", artist: "Ann", album: "LP")
        wanted.albumArtist = "Ann & Bob"
        wanted.composer = "Cole"
        wanted.genres = ["Jazz"]
        wanted.durationMs = 1_234
        (wanted.discNumber, wanted.trackNumber, wanted.releaseDate) = (2, 3, ReleaseDate("1981"))
        wanted.addedAt = Timestamp(rfc3339: "2020-02-29T23:59:58Z")
        (wanted.playCount, wanted.rating, wanted.isExplicit) = (12, 80, true)
        wanted.lastPlayedAt = Timestamp(rfc3339: "2021-01-02T03:04:05Z")
        #expect(file.tracks == [FileTrack(wanted)])

        let computed = try FileItems(
            Self.library(
                Self.song(
                    1, "01",
                    "<key>Name</key><string>A</string><key>Rating</key><integer>60</integer><key>Rating Computed</key>"
                        + "<true/><key>Playlist Only</key><true/>")))
        #expect(computed.tracks.first?.track.rating == nil && computed.tracks.first?.isSaved == false)
        #expect(computed.tracks.first?.track.sourceID == "0000000000000001")
    }

    @Test("Whatever is not a song is listed with its line, and the rest is read")
    func rowsThatAreNotSongs() throws {
        let name = "<key>Name</key><string>A</string>"
        let file = try FileItems(
            Self.library(
                [
                    Self.song(1, "01", "\(name)<key>Podcast</key><true/>"), Self.song(2, "02", ""),
                    Self.song(3, nil, name), Self.song(4, "04", "\(name)<key>Track Type</key><string>URL</string>"),
                    Self.song(5, "05", name),
                ].joined(separator: "\n")))
        #expect(
            file.skips == [
                "6: a podcast is not a song", "7: the song has no title", "8: the song has no Persistent ID",
                "9: a radio stream is not a song",
            ])
        #expect(file.tracks.map(\.track.sourceID) == ["0000000000000005"])
    }

    @Test("Playlists name their songs; the app's own lists and folders are skipped, and dangling ids have no song")
    func songsOfPlaylists() throws {
        func list(_ name: String, _ members: String, _ ids: [Int]) -> String {
            let items = ids.map { "<dict><key>Track ID</key><integer>\($0)</integer></dict>" }.joined()
            return "<dict><key>Name</key><string>\(name)</string>\(members)"
                + (ids.isEmpty ? "" : "<key>Playlist Items</key><array>\(items)</array>") + "</dict>"
        }
        let id = "<key>Playlist Persistent ID</key><string>AB</string>"
        let file = try FileItems(
            Self.library(
                Self.song(1, "0A", "<key>Name</key><string>A</string>"),
                playlists: [
                    list("Library", "<key>Master</key><true/>", [1]), list("Films", "<key>Visible</key><false/>", [1]),
                    list("Music", "<key>Distinguished Kind</key><integer>4</integer>", [1]),
                    list("Folder", "<key>Folder</key><true/>", [1]), list("Mine", id, [1, 99, 1]), list("", "", []),
                ].joined()))
        let key = "000000000000000A"
        #expect(file.playlists.map(\.name) == ["Mine", "Untitled playlist"])
        #expect(file.playlists.first?.key == "AB")
        #expect(file.playlists.first?.entries.map(\.key) == [key, nil, key])
    }

    @Test("A file that declares entities, including external ones, is refused, and nothing is expanded")
    func declaredEntities() throws {
        let bomb = """
            <!DOCTYPE plist [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>
            """
        let secret = #"<!DOCTYPE plist [<!ENTITY c SYSTEM "file:///etc/passwd">]>"#
        for doctype in [bomb, secret] {
            let error = #expect(throws: LibraryFileError.self) {
                try FileItems(
                    Self.library(Self.song(1, "01", "<key>Name</key><string>&c;</string>"), doctype: doctype))
            }
            #expect(error?.description.contains("declares its own entities") == true)
        }
    }

    @Test("A file that breaks off is read up to there and reported, and other XML is refused")
    func damagedFiles() throws {
        let whole = Self.library(
            Self.song(1, "01", "<key>Name</key><string>A</string>")
                + Self.song(2, "02", "<key>Name</key><string>B</string>"))
        let half = try FileItems(String(whole.prefix(whole.count / 2)))
        #expect(half.failure?.contains("incomplete") == true)
        #expect(throws: LibraryFileError.self) { try FileItems("<html><body/></html>") }
    }

    @Test("Wherever a file breaks off, the songs before that point are read")
    func rowsBeforeDamage() throws {
        let songs = (1...3).map { Self.song($0, "0\($0)", "<key>Name</key><string>\($0)</string>") }
        let head = "<plist><dict><key>Tracks</key><dict>"
        let whole = head + songs.joined()
        for count in stride(from: head.count, through: whole.count, by: 7) {
            let complete = songs.indices.count { head.count + songs[...$0].joined().count <= count }
            let file = try FileItems(String(whole.prefix(count)))
            #expect(file.tracks.count == complete && file.failure?.contains("incomplete") == true, "\(count)")
        }
        let wrong = try FileItems(whole + "<key>4</wrong>")
        #expect(wrong.tracks.count == 3 && wrong.failure?.contains("damaged") == true)
    }

    @Test("Playlists that precede the songs still find them, and are returned after them")
    func playlistsFirst() throws {
        let file = try FileItems(
            """
            <plist version="1.0"><dict><key>Playlists</key><array><dict><key>Name</key><string>P</string>
            <key>Playlist Items</key><array><dict><key>Track ID</key><integer>1</integer></dict></array></dict></array>
            <key>Tracks</key><dict>\(Self.song(1, "0A", "<key>Name</key><string>A</string>"))</dict></dict></plist>
            """)
        #expect(file.failure == nil && file.items.count == 2 && file.lines == [3])
        #expect(file.playlists.first?.entries.map(\.key) == ["000000000000000A"])
        guard case .playlist = file.items.last else { return #expect(Bool(false), "a song came last") }
    }

    @Test("A playlist is cut at the limit on entries in memory")
    func longPlaylist() throws {
        let items = (0...100_000).map { _ in "<dict><key>Track ID</key><integer>1</integer></dict>" }.joined()
        let file = try FileItems(
            Self.library(
                Self.song(1, "0A", "<key>Name</key><string>A</string>"),
                playlists:
                    "<dict><key>Name</key><string>P</string><key>Playlist Items</key><array>\(items)</array></dict>"))
        #expect(file.playlists.map(\.entries.count) == [100_000] && file.failure == nil)
        #expect(file.skips == ["8: “P”: a file may have at most 100000 playlist entries; split it"])
    }

    @Test(
        "Real exports of iTunes and of the Music app are read",
        .enabled(if: RecordedPayloads.listens.areAvailable, Comment(rawValue: RecordedPayloads.missing)))
    func recordedExports() throws {
        for (name, tracks) in [("Library_music_app_1.2.5", 15), ("Library_itunes_12.9_ru_trimmed", 20)] {
            let file = try FileItems(try RecordedPayloads.listens.data("\(name).xml"))
            #expect(file.failure == nil && file.tracks.count >= tracks, "\(name): \(file.tracks.count)")
            #expect(Set(file.tracks.map(\.track.sourceID)).count == file.tracks.count)
            let keys = Set(file.tracks.map(\.track.sourceID))
            #expect(file.playlists.flatMap(\.entries).compactMap(\.key).allSatisfy(keys.contains))
        }
    }
}
