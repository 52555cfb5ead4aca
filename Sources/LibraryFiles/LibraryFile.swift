import Foundation

/// A file of songs, playlists or listens, whose kind is recognized by its content.
///
/// It reads from the disk: use it on a thread of its own, in a task whose cancelling ends it. The order of its items is
/// the same each time, so that reading can continue after any number of them.
///
/// The work grows with the file's bytes. The memory does not, beyond what each reader says of itself: at most about
/// 200 MiB, which a history of a million plays, a library of half a million songs or a hostile file may take.
package final class LibraryFile {
    package let kind: LibraryFileKind
    private var reader: any LibraryFileReader
    /// The kind of the file that is being read: of a zip archive, the present entry's.
    package private(set) var itemKind: LibraryFileKind

    private let archive: ZipArchive?
    private var entries: ArraySlice<ZipArchive.Entry> = []
    private var entryName: String?
    /// Of the latest row.
    private var line = 0

    /// - Throws: ``LibraryFileError`` for a file that is of no known kind.
    package init(path: String) throws(LibraryFileError) {
        let bytes = try FileBytes(path: path)
        let head = try Self.head(of: path)
        guard head.starts(with: Array("PK\u{03}\u{04}".utf8)) else {
            archive = nil
            (kind, reader) = try Self.open(bytes, head: head) { () throws(LibraryFileError) in try FileBytes(path: path)
            }
            itemKind = kind
            return
        }
        let archive = try ZipArchive(path: path)
        self.archive = archive
        kind = .zip
        itemKind = .zip
        entries = archive.entries[...]
        reader = NoItems()
        guard !entries.isEmpty else { throw LibraryFileError("The zip archive has no files.") }
    }

    /// - Returns: `nil` at the end.
    package func next() throws(LibraryFileError) -> LibraryFileItem? {
        while true {
            do throws(LibraryFileError) {
                if let item = try reader.next() { return named(item) }
            } catch {
                guard archive != nil, error != .cancelled else { throw error }
                // The other entries are taken.
                reader = NoItems()
                return named(.skipped(line: line + 1, reason: error.reason))
            }
            guard let archive, let entry = entries.popFirst() else { return nil }
            (entryName, line) = (entry.name, 0)
            do throws(LibraryFileError) {
                let head = try Self.head(of: try archive.bytes(of: entry))
                guard !head.starts(with: Array("PK".utf8)) else {
                    throw LibraryFileError("a zip archive in a zip archive is not opened")
                }
                (itemKind, reader) = try Self.open(try archive.bytes(of: entry), head: head, name: entry.name) {
                    () throws(LibraryFileError) in try archive.bytes(of: entry)
                }
            } catch {
                guard error != .cancelled else { throw error }
                reader = NoItems()
                return named(.skipped(line: 1, reason: error.reason))
            }
        }
    }

    /// An item as it is handed on: a row that was left out names the entry of an archive.
    private func named(_ item: LibraryFileItem) -> LibraryFileItem {
        let item = item.cleaned
        line = item.line ?? line
        guard let entryName, case .skipped(let line, let reason) = item else { return item }
        return .skipped(line: line, reason: FileValues.reason("\(entryName): \(reason)"))
    }

    private static func head(of path: String) throws(LibraryFileError) -> [UInt8] {
        try head(of: try FileBytes(path: path))
    }

    private static func head(of bytes: any ByteSource) throws(LibraryFileError) -> [UInt8] {
        var head: [UInt8] = []
        while head.count < 4_096 {
            let part = try bytes.bytes(4_096)
            guard !part.isEmpty else { break }
            head += part
        }
        return head
    }

    /// - Parameters:
    ///   - name: of a file in an archive.
    ///   - again: begins the file anew.
    private static func open(
        _ bytes: any ByteSource, head: [UInt8], name: String? = nil,
        again: @escaping () throws(LibraryFileError) -> any ByteSource
    ) throws(LibraryFileError) -> (LibraryFileKind, any LibraryFileReader) {
        let isUTF16 = head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF])
        guard isUTF16 || !head.contains(0) else {
            throw LibraryFileError(
                "This is no file of songs or listens. Backline reads the library that Apple's Music app exports, CSV, "
                    + "JSPF, its own JSON, the listening histories of Spotify, ListenBrainz, Last.fm and Apple Music, "
                    + "and zip archives of these.")
        }
        let text = head.drop { [0xEF, 0xBB, 0xBF, 0xFF, 0xFE, 0, 0x20, 0x09, 0x0A, 0x0D].contains($0) }
        switch text.first {
        case nil: throw LibraryFileError("The file is empty.")
        case 0x3C: return (.appleMusicLibrary, try PropertyListReader(bytes, again: again))
        case 0x7B where ListenFiles.isPassedOver(text): return (.zip, NoItems())
        case 0x7B, 0x5B:
            if let listens = try ListenFiles.json(bytes, text) { return listens }
            let names = text.first == 0x7B ? JSONHead.names(text) : ["tracks"]
            if names.contains("playlist") { return (.jspf, try JSPFReader(try TextBytes(bytes))) }
            guard !names.isDisjoint(with: ["backline", "tracks", "playlists"]) else {
                throw LibraryFileError(
                    "This JSON is neither a playlist in JSPF ({\"playlist\": …}), nor what Backline exports "
                        + "({\"backline\": …}), nor a listening history of Spotify, ListenBrainz or Last.fm.")
            }
            let reader = try BacklineReader(try TextBytes(bytes)) { () throws(LibraryFileError) in
                try TextBytes(try again())
            }
            return (.backline, reader)
        default:
            if let listens = try ListenFiles.csv(bytes, text) { return listens }
            return (.csv, try CSVReader(try TextBytes(bytes), name: name))
        }
    }
}

/// A file without items.
private final class NoItems: LibraryFileReader {
    func next() throws(LibraryFileError) -> LibraryFileItem? { nil }
}

extension LibraryFileError {
    /// The text as a part of a sentence.
    fileprivate var reason: String {
        let text = description.hasSuffix(".") ? String(description.dropLast()) : description
        return text
    }
}
