import Foundation
import TestSupport

/// A folder of web pages.
struct SamplePages {
    let folder: TemporaryFolder
    var path: String { folder.path }

    init(_ files: [String: String] = SamplePages.files) throws {
        folder = try TemporaryFolder()
        for (name, text) in files {
            let file = URL(fileURLWithPath: folder.file(name))
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
    }

    static let files = [
        "index.html": "<!doctype html><title>Backline</title>", "secret.txt": "not served",
        "assets/large.js": String(repeating: "export {};", count: 100),
        "assets/app.js": "export {}", "assets/theme.css": ":root {}", "assets/pages/feed.js": "export {}",
        "assets/icon.svg": "<svg/>", "assets/.hidden.js": "no", "assets/two words.js": "no", "assets/notes.md": "no",
    ]
}
