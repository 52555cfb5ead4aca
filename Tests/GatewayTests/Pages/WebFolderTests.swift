import Foundation
import Testing

@testable import Gateway

@Suite("The folder of the web pages")
struct WebFolderTests {
    @Test("the shell and the assets are read, with their types; what cannot be served is named")
    func reads() throws {
        let sample = try SamplePages()
        let folder = try WebFolder(path: sample.path)
        #expect(folder.shell.contentType == "text/html; charset=utf-8")
        #expect(String(decoding: folder.shell.bytes, as: UTF8.self) == SamplePages.files["index.html"])
        #expect(
            folder.assets.mapValues(\.contentType) == [
                "/assets/app.js": "text/javascript; charset=utf-8", "/assets/theme.css": "text/css; charset=utf-8",
                "/assets/pages/feed.js": "text/javascript; charset=utf-8", "/assets/icon.svg": "image/svg+xml",
            ])
        #expect(folder.skipped == ["assets/.hidden.js", "assets/notes.md", "assets/two words.js"])
    }

    @Test("a file's tag changes with its bytes and with nothing else")
    func tags() throws {
        let one = WebFile(bytes: [1], contentType: "text/css")
        #expect(one.entityTag == WebFile(bytes: [1], contentType: "text/css").entityTag)
        #expect(one.entityTag != WebFile(bytes: [2], contentType: "text/css").entityTag)
        #expect(one.entityTag.hasPrefix("\"") && one.entityTag.hasSuffix("\""))
    }

    @Test("a folder without a shell says where it looked and what to do")
    func missing() throws {
        let sample = try SamplePages(["assets/app.js": "export {}"])
        let error = try #require(throws: WebFolderError.self) { try WebFolder(path: sample.path) }
        #expect(error == .noShell(path: sample.path))
        #expect(error.description.contains(sample.path) && error.description.contains("http.webRoot"))
    }

    @Test("a folder far too large for pages is not read into memory")
    func tooLarge() throws {
        let sample = try SamplePages()
        // Sparse: it takes no space.
        let path = sample.folder.file("assets/large.json")
        FileManager.default.createFile(atPath: path, contents: nil)
        #expect(truncate(path, off_t(WebFolder.maximumBytes)) == 0)
        #expect(throws: WebFolderError.tooLarge(path: sample.path)) { try WebFolder(path: sample.path) }
    }
}
