import Foundation
import LibraryFiles
import TestSupport
import Testing

/// Files that are made to do harm. The limits on processor time are many times what such a file takes here, and a small
/// fraction of what it would take a reader whose work grows faster than the file.
@Suite("Hostile files")
struct HostileFileTests {
    // MARK: XML

    private static let element = "<plist><dict><key>Tracks</key><dict>"

    @Test(
        "A document type may be named, but not declared",
        arguments: [
            "<!ATTLIST key a CDATA \"x\">", "<!ELEMENT key ANY>", "<!NOTATION n SYSTEM \"x\">", "<!-- x -->", " ",
            "<!ENTITY % p \"x\">", "%p;",
        ])
    func documentTypes(declaration: String) throws {
        let error = #expect(throws: LibraryFileError.self) {
            try FileItems("<!DOCTYPE plist [\(declaration)]>\(Self.element)")
        }
        #expect(error?.description.contains("declares its own entities") == true)
        let apple = "<!DOCTYPE plist PUBLIC \"-//Apple Computer//DTD PLIST 1.0//EN\" \"http://apple.test/a.dtd\" >"
        #expect(try FileItems("\(apple)\(Self.element)</dict></dict></plist>").failure == nil)
    }

    @Test("Default attributes, which libxml2 compares with each other for every element, end the file at once")
    func attributeDefaults() throws {
        let defaults = (0..<50_000).map { "<!ATTLIST key a\($0) CDATA \"x\">" }.joined()
        let keys = String(repeating: "<key/>", count: 20_000)
        let (error, time) = ProcessorTime.measure {
            #expect(throws: LibraryFileError.self) {
                try FileItems("<?xml version=\"1.0\"?><!DOCTYPE plist [\(defaults)]><plist><dict>\(keys)")
            }
        }
        #expect(error?.description.contains("declares its own entities") == true && time < .seconds(10))
    }

    @Test("Namespaces, many attributes, and long tags and comments are refused")
    func hostileMarkup() throws {
        let attributes = (0..<100_000).map { "a\($0)=''" }.joined(separator: " ")
        for (text, reason) in [
            ("<key xmlns:a='x'>", "an element with namespaces (line 1)"),
            ("<key a='' b='' c='' d='' e=''>", "an element with more than 4 attributes (line 1)"),
            ("<key \(attributes)/>", "a tag or comment of more than"),
            ("<!--\(String(repeating: "- ", count: 100_000))", "a tag or comment of more than"),
        ] {
            let (file, time) = try ProcessorTime.measure { try FileItems("<plist version=\"1.0\"><dict>\(text)") }
            #expect(file.failure?.contains(reason) == true && time < .seconds(10), "\(file.failure ?? "")")
        }
    }

    @Test("Long texts are truncated while they are read, and unknown keys are ignored")
    func longTexts() throws {
        let long = String(repeating: "a", count: 2 << 20)
        let others = (0..<20_000).map { "<key>\($0)</key><string>x</string>" }.joined()
        let file = try FileItems(
            Self.element
                + "<key>1</key><dict><key>\(long)</key><string>\(long)</string>\(others)<key>Name</key>"
                + "<string>\(long)</string><key>Persistent ID</key><string>0A</string></dict></dict></dict></plist>")
        let track = try #require(file.tracks.first?.track)
        #expect(file.failure == nil && track.title.hasPrefix("aaa") && track.title.utf8.count < 2_010)
    }

    // MARK: CSV

    @Test("A file whose every line opens a quotation is read at most a few times")
    func openQuotations() throws {
        let lines = String(repeating: "a\",\",\n", count: 60_000)
        let (file, time) = try ProcessorTime.measure { try FileItems("Title,Artist\n\(lines)X,Y\n") }
        #expect(time < .seconds(30))
        #expect(file.failure == nil && file.tracks.count <= 1 && !file.skips.isEmpty && file.skips.count < 60_000)
        #expect(file.skips.last?.contains("were read as part of it") == true, "\(file.skips.last ?? "")")
    }

    @Test("A row may have 200 columns, and a header line of a million takes no longer than other bytes")
    func manyColumns() throws {
        let commas = String(repeating: ",", count: 1_000_000)
        let (file, time) = try ProcessorTime.measure { try FileItems("Title,Artist\(commas)\nX,Y\(commas)\n") }
        #expect(file.tracks.map(\.track.artist) == ["Y"] && time < .seconds(30))
        #expect(throws: LibraryFileError.self) {
            try FileItems(String(repeating: "a,", count: 200) + "Title\n" + String(repeating: "a,", count: 200) + "X\n")
        }
    }

    @Test("Names and keys of playlists are truncated while they are read, and there is room for 5,000")
    func limitsOfPlaylists() throws {
        let long = String(repeating: "p", count: 10_000)
        let file = try FileItems("Title,Artist,Playlist,Playlist ID\nX,A,\(long),\(long)\nY,A,\(long),\(long)\n")
        #expect(file.playlists.map(\.entries.count) == [2])
        #expect(file.playlists.allSatisfy { $0.name.utf8.count < 2_010 && $0.key.utf8.count < 100 })
        let many = try FileItems("Title,Artist,Playlist\n" + (0...5_000).map { "X,A,\($0)\n" }.joined())
        #expect(many.playlists.count == 5_000)
        #expect(many.skips == ["5002: a file may have at most 5000 playlists; split it"])
    }

    @Test("Other texts are limited as well: descriptions, genres and addresses")
    func otherTexts() throws {
        let long = String(repeating: "x", count: 200_000)
        let playlist = try FileItems(
            "{\"playlist\":{\"title\":\"P\",\"annotation\":\"\(long)\",\"track\":[{\"title\":\"A\",\"creator\":\"B\",\"image\":\"\(long)\"}]}}"
        )
        #expect(playlist.playlists.first?.description?.utf8.count ?? 0 < 4_010)
        #expect(playlist.tracks.first?.track.artworkURL == nil && playlist.tracks.count == 1)
        let genres = try FileItems("Title,Artist,Genres\nX,A,\(String(repeating: "g;", count: 10_000))\n")
        #expect(genres.tracks.first?.track.genres.count == 20)
    }

    // MARK: JSON

    @Test("The time for JSON of any form depends only on its number of bytes")
    func linearTimeForJSON() throws {
        for (text, isRead) in [
            ("[{\"title\":0,\"artist\":0},\(String(repeating: "[[],[],{}],", count: 30_000))0]", true),
            ("{\"payload\":{\"track_metadata\":0,\"listens\":[\(String(repeating: "[],", count: 100_000))0]}}", true),
            ("[{\"title\":0,\"artist\":0},\(String(repeating: "[", count: 300_000))", false),
            ("{\"backline\":1,\"tracks\":[\(String(repeating: "\"\\u0041\",", count: 30_000))0]}", true),
        ] {
            let (file, time) = try ProcessorTime.measure { try FileItems(text) }
            #expect(time < .seconds(30) && (file.failure == nil) == isRead && file.tracks.count <= 1)
        }
    }

    // MARK: Cancelling

    @Test("A cancelled task stops reading, in archives as well")
    func cancelledReading() async throws {
        let rows = "Title,Artist\n" + String(repeating: "X,Y\n", count: 100_000)
        let folder = try TemporaryFolder()
        let path = folder.file("upload")
        try Data(rows.utf8).write(to: URL(fileURLWithPath: path))
        let archive = folder.file("upload.zip")
        try Data(ZipBytes.archive([("a.csv", Data(rows.utf8)), ("b.csv", Data(rows.utf8))]))
            .write(to: URL(fileURLWithPath: archive))
        for path in [path, archive] {
            let reading = Task { () throws(LibraryFileError) -> Int in
                let file = try LibraryFile(path: path)
                guard try file.next() != nil else { return 0 }
                withUnsafeCurrentTask { $0?.cancel() }
                var count = 1
                while try file.next() != nil { count += 1 }
                return count
            }
            let error = await #expect(throws: LibraryFileError.self) { try await reading.value }
            #expect(error == .cancelled)
        }
    }
}
