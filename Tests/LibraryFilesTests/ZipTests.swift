import CZip
import Foundation
import LibraryFiles
import TestSupport
import Testing

@Suite("Zip archives")
struct ZipTests {
    private func withArchive(
        _ entries: [(name: String, content: Data)], _ body: (String) throws -> Void
    ) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("upload.zip")
        var code: Int32 = 0
        let archive = try #require(zip_open(path, ZIP_CREATE, &code))
        // libzip reads the contents when it closes the archive.
        let contents = entries.map { entry in
            let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, entry.content.count), alignment: 1)
            entry.content.copyBytes(to: bytes)
            return bytes
        }
        defer { for bytes in contents { bytes.deallocate() } }
        for (entry, bytes) in zip(entries, contents) {
            let source = zip_source_buffer(archive, bytes.baseAddress, UInt64(entry.content.count), 0)
            #expect(zip_file_add(archive, entry.name, source, 0) >= 0)
        }
        #expect(zip_close(archive) == 0)
        try body(path)
        withExtendedLifetime(folder) {}
    }

    @Test("Each entry is recognized by its content; what cannot be read is listed, and the rest is read")
    func entriesByContent() throws {
        try withArchive([
            ("songs.txt", Data("title,artist\nA,Ann\n,Bob\n".utf8)), ("__MACOSX/x", Data("y".utf8)),
            ("picture.png", Data([0x89, 0x50, 0, 1])), ("nested.zip", Data("PK\u{03}\u{04}".utf8)),
            ("folder/list", Data(#"{"playlist": {"title": "P", "track": [{"title": "B", "creator": "Bob"}]}}"#.utf8)),
        ]) { path in
            let file = try FileItems(path: path)
            #expect(file.kind == .zip && file.failure == nil && file.tracks.map(\.track.title) == ["A", "B"])
            #expect(file.playlists.map(\.name) == ["P"])
            #expect(file.skips.count == 3 && file.skips[0] == "3: songs.txt: the song has no title")
            #expect(file.skips[1].hasPrefix("1: picture.png: This is not a file of songs"))
            #expect(file.skips[2] == "1: nested.zip: a zip archive in a zip archive is not opened")
        }
    }

    @Test("Files of an archive that are skipped for the same reason are named in one sentence of bounded length")
    func passedFiles() throws {
        let others = (0..<40).map {
            ZipBytes.Entry(name: "A file with a long name \($0).json", content: Data("{\"member\($0)\":1}".utf8))
        }
        let nested = ["a.zip", "b.zip"].map { ZipBytes.Entry(name: $0, content: Data("PK\u{03}\u{04}".utf8)) }
        let songs = ZipBytes.Entry(name: "songs.csv", content: Data("title,artist\nA,Ann\n".utf8))
        let file = try FileItems(Data(ZipBytes.archive(of: others + nested + [songs])))
        #expect(file.failure == nil && file.tracks.map(\.track.title) == ["A"] && file.skips.count == 2)
        let first = try #require(file.skips.first)
        #expect(first.hasPrefix("1: “A file with a long name 0.json”, “A file with a long name 1.json”, "))
        #expect(first.contains(" others: they are not files of songs or listens. Backline reads "))
        #expect(first.utf8.count <= 510)
        #expect(file.skips.last == "1: “a.zip”, “b.zip”: a zip archive in a zip archive is not opened")
        let unknown = try FileItems(Data(ZipBytes.archive(of: others + nested)))
        #expect(unknown.failure?.hasPrefix("The zip archive has no file of a known kind. It has “A file") == true)
        #expect(unknown.skips == ["1: “a.zip”, “b.zip”: a zip archive in a zip archive is not opened"])
    }

    @Test("The lengths of songs are derived from all files of Spotify's history in an archive together")
    func spotifyLengths() throws {
        func row(_ minute: Int, _ milliseconds: Int, _ end: String) -> Data {
            Data(
                ("[{\"ts\":\"2025-04-28T21:\(minute):35Z\",\"ms_played\":\(milliseconds),\"reason_end\":\"\(end)\","
                    + "\"master_metadata_track_name\":\"One\",\"master_metadata_album_artist_name\":\"Ada\","
                    + "\"spotify_track_uri\":\"spotify:track:3aJ2aJz5xL03hpaqdPS7Ah\"}]").utf8)
        }
        let archive = ZipBytes.archive([
            ("Streaming_History_Audio_2024_0.json", row(10, 35_000, "fwdbtn")),
            ("Read_Me.json", Data("{\"a\":1}".utf8)),
            ("Streaming_History_Audio_2025_1.json", row(20, 360_000, "trackdone")),
        ])
        let file = try FileItems(Data(archive))
        #expect(file.listens.map(\.playedMs) == [360_000] && file.failure == nil)
        #expect(file.skips.first == "1: Streaming_History_Audio_2024_0.json: it was played for only 35 s")
        #expect(file.skips.count == 2)
    }

    @Test("A damaged entry is listed by its name, and the others are read")
    func damagedEntry() throws {
        try withArchive([
            ("a.json", Data(#"{"backline": 1, "tracks": [{"title": "A"}, {"title": "B"#.utf8)),
            ("b.csv", Data("title,artist\nC,Cid\n".utf8)),
        ]) { path in
            let file = try FileItems(path: path)
            #expect(file.failure == nil && file.tracks.map(\.track.title) == ["A", "C"])
            #expect(file.skips.count == 1 && file.skips[0].hasPrefix("2: a.json: The JSON is incomplete or damaged"))
        }
    }

    @Test("An Exportify file in an archive is the playlist of its name, and the liked songs are the library")
    func filesOfExportify() throws {
        let head = "Track URI,Track Name,Artist Name(s),Added By,Added At\n"
        func row(_ title: String) -> Data { Data("\(head),\(title),Ann,spotify:user:ann,2020-02-29T23:59:58Z\n".utf8) }
        try withArchive([
            ("playlists/My_Mix.csv", row("A")), ("Liked_Songs.csv", row("B")),
            ("other.csv", Data("title,artist\nC,Cid\n".utf8)),
        ]) { path in
            let file = try FileItems(path: path)
            #expect(file.playlists.map(\.name) == ["My Mix"])
            #expect(file.playlists.first?.entries.map(\.key) == [file.tracks[0].track.sourceID])
            #expect(file.tracks.map(\.isSaved) == [false, true, true])
        }
    }

    @Test("A file that becomes far too large when unpacked is refused, and so is a damaged archive")
    func hugeEntries() throws {
        try withArchive([("zeros.csv", Data(count: 64 << 20))]) { path in
            let error = #expect(throws: LibraryFileError.self) { try LibraryFile(path: path) }
            #expect(error?.description.contains("too large") == true)
        }
        try withArchive((0...1_000).map { ("\($0)", Data("a".utf8)) }) { path in
            let error = #expect(throws: LibraryFileError.self) { try LibraryFile(path: path) }
            #expect(error?.description.contains("1001 entries") == true)
        }
        let error = #expect(throws: LibraryFileError.self) { try FileItems("PK\u{03}\u{04}damaged") }
        #expect(error?.description.contains("damaged") == true)
    }

    private func failure(_ archive: [UInt8]) throws -> String {
        let file = try FileItems(Data(archive))
        return (file.failure ?? "") + file.skips.joined()
    }

    private static let csv = Data("Title,Artist\nA,B\n".utf8)

    @Test(
        "Impossible sizes are refused before they are added up",
        arguments: [UInt64.max, UInt64.max - 16, 1 << 63, 5 << 30])
    func impossibleSizes(size: UInt64) throws {
        let archive = ZipBytes.archive(of: [
            .init(name: "a.csv", content: Self.csv), .init(name: "b.csv", content: Self.csv, size: size),
        ])
        let error = #expect(throws: LibraryFileError.self) { try FileItems(Data(archive)) }
        #expect(error?.description.contains("“b.csv” in the zip archive becomes too large") == true)
    }

    @Test("An archive with too large a directory is refused before the directory is read")
    func largeDirectory() throws {
        let entries = (0..<1_001).map { ZipBytes.Entry(name: "\($0)", content: Data("a".utf8)) }
        let one = ZipBytes.Entry(name: "a.csv", content: Self.csv)
        for (archive, reason) in [
            (ZipBytes.archive(of: entries), "1001 entries"),
            (ZipBytes.archive(of: entries, hasEnd64: true), "1001 entries"),
            (ZipBytes.archive(of: [one], size: 200 << 20), "directory of the zip archive is larger than 1 MiB"),
            (
                ZipBytes.archive(of: [one], size: 1 << 40, hasEnd64: true),
                "directory of the zip archive is larger than 1 MiB"
            ),
            (ZipBytes.archive(of: [one], ends: 9), "several zip archives"),
        ] {
            let error = #expect(throws: LibraryFileError.self) { try FileItems(Data(archive)) }
            #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
        }
        #expect(try FileItems(Data(ZipBytes.archive(of: Array(entries[..<3]), hasEnd64: true))).kind == .zip)
    }

    @Test("An entry ends where the directory says, and must use a common compression method")
    func wrongDirectory() throws {
        let short = ZipBytes.archive(of: [.init(name: "a.csv", content: Self.csv, size: 3)])
        #expect(try !failure(short).isEmpty)
        let method = ZipBytes.archive(of: [
            .init(name: "a.csv", content: Self.csv, method: 14), .init(name: "b.csv", content: Self.csv),
        ])
        let file = try FileItems(Data(method))
        #expect(file.tracks.count == 1 && file.skips.first?.contains("with a method that is not supported") == true)
    }
}
