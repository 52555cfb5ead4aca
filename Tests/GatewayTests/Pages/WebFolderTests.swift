import Foundation
import TestSupport
import Testing

@testable import Gateway

@Suite("The folder of the web pages")
struct WebFolderTests {
    @Test("The shell and the assets are read, with their types; files that cannot be served are listed")
    func readFiles() throws {
        let sample = try SamplePages()
        let folder = try WebFolder(path: sample.path)
        #expect(folder.shell.contentType == "text/html; charset=utf-8")
        #expect(String(decoding: folder.shell.plain.bytes, as: UTF8.self) == SamplePages.files["index.html"])
        #expect(
            folder.assets.mapValues(\.contentType) == [
                "/assets/app.js": "text/javascript; charset=utf-8", "/assets/theme.css": "text/css; charset=utf-8",
                "/assets/large.js": "text/javascript; charset=utf-8",
                "/assets/pages/feed.js": "text/javascript; charset=utf-8", "/assets/icon.svg": "image/svg+xml",
            ])
        #expect(folder.skipped == ["assets/.hidden.js", "assets/notes.md", "assets/two words.js"])
    }

    @Test("A file's tag changes with its bytes and with nothing else")
    func entityTags() throws {
        let one = WebFile(bytes: [1], contentType: "text/css")
        #expect(one.plain.entityTag == WebFile(bytes: [1], contentType: "text/css").plain.entityTag)
        #expect(one.plain.entityTag != WebFile(bytes: [2], contentType: "text/css").plain.entityTag)
        #expect(one.plain.entityTag.hasPrefix("\"") && one.plain.entityTag.hasSuffix("\""))
    }

    @Test("A file is compressed where that makes it smaller, in a form that other programs read")
    func compressedFiles() async throws {
        let text = (0..<5_000).map { "line \($0 % 97)\n" }.joined()
        let file = WebFile(bytes: Array(text.utf8), contentType: "text/css")
        let gzip = try #require(file.gzip)
        #expect(gzip.bytes.count < text.utf8.count / 5 && gzip.entityTag != file.plain.entityTag)
        let folder = try TemporaryFolder()
        try Data(gzip.bytes).write(to: URL(fileURLWithPath: folder.file("text.gz")))
        #expect(try await ChildProcess.run("gzip", ["-d", "text.gz"], folder: folder.path).end == .exited(0))
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("text"))) == Data(text.utf8))
        for bytes in [[], [1], (0..<4_000).map { _ in UInt8.random(in: 0...255) }] as [[UInt8]] {
            #expect(WebFile(bytes: bytes, contentType: "image/png").gzip == nil)
        }
    }

    @Test("The error about a folder without a shell names the path and the remedy")
    func missingShell() throws {
        let sample = try SamplePages(["assets/app.js": "export {}"])
        let error = try #require(throws: WebFolderError.self) { try WebFolder(path: sample.path) }
        #expect(error == .noShell(path: sample.path))
        #expect(error.description.contains(sample.path) && error.description.contains("http.webRoot"))
    }

    @Test("A folder far too large for pages is not read into memory")
    func tooLarge() throws {
        let sample = try SamplePages()
        // The file is sparse, and uses no disk space.
        let path = sample.folder.file("assets/large.json")
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        #expect(truncate(path, off_t(WebFolder.maximumBytes)) == 0)
        #expect(throws: WebFolderError.tooLarge(path: sample.path)) { try WebFolder(path: sample.path) }
    }
}
