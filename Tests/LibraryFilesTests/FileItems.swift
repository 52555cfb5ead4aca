import Foundation
import LibraryFiles
import TestSupport
import Testing

/// The items of a file, and why it ended early.
struct FileItems {
    var kind: LibraryFileKind
    var items: [LibraryFileItem] = []
    var failure: String?

    var tracks: [FileTrack] {
        items.compactMap { if case .track(let track, _) = $0 { track } else { nil } }
    }

    var lines: [Int] {
        items.compactMap { if case .track(_, let line) = $0 { line } else { nil } }
    }

    var skips: [String] {
        items.compactMap { if case .skipped(let line, let reason) = $0 { "\(line): \(reason)" } else { nil } }
    }

    var playlists: [FilePlaylist] {
        items.compactMap { if case .playlist(let playlist) = $0 { playlist } else { nil } }
    }

    init(_ text: String) throws {
        try self.init(Data(text.utf8))
    }

    init(_ data: Data) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("upload")
        try data.write(to: URL(fileURLWithPath: path))
        try self.init(path: path)
        withExtendedLifetime(folder) {}
    }

    init(path: String) throws {
        let file = try LibraryFile(path: path)
        kind = file.kind
        do {
            while let item = try file.next() { items.append(item) }
        } catch let error {
            failure = error.description
        }
    }
}
