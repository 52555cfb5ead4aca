import Foundation

/// A file of songs, playlists or listens, whose kind is recognized by its content.
///
/// It reads from the disk: use it on a separate thread, in a task that can be cancelled. The items always come in the
/// same order, so reading can continue after any number of them.
///
/// The work grows with the size of the file. The memory does not, beyond what each reader documents: at most about 200
/// MiB, for a history of a million plays, a library of half a million songs, or a hostile file.
package final class LibraryFile {
    package let kind: LibraryFileKind
    private var reader: any LibraryFileReader
    /// The kind of the file that is being read: in a zip archive, that of the current entry.
    package private(set) var itemKind: LibraryFileKind

    private let archive: ZipArchive?
    private var entries: ArraySlice<ZipArchive.Entry> = []
    private var entryName: String?
    /// Whether any entry of the archive is of a known kind.
    private var hasKnownEntry = false
    private var hasDamagedEntry = false
    private var passed = SkippedFiles()
    /// What is reported about the files that were passed over, once all entries were examined.
    private var passedSentences: ArraySlice<String>?
    /// The lengths of songs according to all files of Spotify's history in the archive; `nil` before the first such
    /// file.
    private var lengths: SpotifyLengths?
    /// The line of the latest row.
    private var line = 0

    /// - Throws: ``LibraryFileError`` for a file of an unknown kind.
    package init(path: String) throws(LibraryFileError) {
        let head = try Self.head(of: try FileBytes(path: path))
        guard head.starts(with: Array("PK\u{03}\u{04}".utf8)) else {
            archive = nil
            let opened = try FileForm(head: head) { () throws(LibraryFileError) in try FileBytes(path: path) }.open()
            guard let opened else { throw FileForm.isOtherOfListenBrainz }
            (kind, reader) = opened
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
    /// - Throws: ``LibraryFileError``, also at the end of an archive without any file of a known kind.
    package func next() throws(LibraryFileError) -> LibraryFileItem? {
        while true {
            do throws(LibraryFileError) {
                if let item = try reader.next() { return named(item) }
            } catch {
                guard archive != nil, error != .cancelled else { throw error }
                // The other entries are still read.
                reader = NoItems()
                return named(.skipped(line: line + 1, reason: error.reason))
            }
            guard let archive else { return nil }
            guard let entry = entries.popFirst() else {
                reader = NoItems()
                if let sentence = nextPassedSentence() {
                    return .skipped(line: 1, reason: FileValues.reason(sentence))
                }
                guard hasKnownEntry else {
                    throw hasDamagedEntry ? ZipDirectory.damaged : Self.nothingKnown(archive.entries)
                }
                return nil
            }
            (entryName, line) = (entry.name, 0)
            do throws(LibraryFileError) {
                let form = try Self.form(of: entry, in: archive)
                if form.isSpotifyHistory, lengths == nil { try readLengths(in: archive, from: entry) }
                let opened = try form.open(name: entry.name, lengths: lengths)
                hasKnownEntry = true
                if let opened { (itemKind, reader) = opened }
            } catch {
                guard error != .cancelled else { throw error }
                reader = NoItems()
                hasDamagedEntry = hasDamagedEntry || error.isOfDamagedArchive
                passed.add(entry.name, error)
            }
        }
    }

    private static func form(of entry: ZipArchive.Entry, in archive: ZipArchive) throws(LibraryFileError) -> FileForm {
        let head = try Self.head(of: try archive.bytes(of: entry))
        guard !head.starts(with: Array("PK".utf8)) else {
            throw LibraryFileError("a zip archive in a zip archive is not opened")
        }
        return try FileForm(head: head) { () throws(LibraryFileError) in try archive.bytes(of: entry) }
    }

    /// Reads the lengths of songs from all files of Spotify's history, which is split by time rather than by song.
    ///
    /// - Parameter first: the first of these files. It and the entries after it are read twice.
    private func readLengths(in archive: ZipArchive, from first: ZipArchive.Entry) throws(LibraryFileError) {
        var found = SpotifyLengths()
        for entry in [first] + entries {
            do throws(LibraryFileError) {
                try Self.form(of: entry, in: archive).readLengths(into: &found)
            } catch {
                // What is wrong with an entry is reported when its turn comes.
                if error == .cancelled { throw error }
            }
        }
        lengths = found
    }

    private func nextPassedSentence() -> String? {
        // If nothing is known, the error names the files of unknown kinds.
        var sentences = passedSentences ?? passed.sentences(withUnknownKinds: hasKnownEntry)[...]
        defer { passedSentences = sentences }
        return sentences.popFirst()
    }

    private static func nothingKnown(_ entries: [ZipArchive.Entry]) -> LibraryFileError {
        LibraryFileError(
            "The zip archive has no file of a known kind. It has \(SkippedFiles.list(entries.map(\.name))). "
                + "\(FileForm.known)")
    }

    /// An item as it is passed on: the reason of a skipped row names the archive's entry.
    private func named(_ item: LibraryFileItem) -> LibraryFileItem {
        let item = item.cleaned
        line = item.line ?? line
        guard let entryName, case .skipped(let line, let reason) = item else { return item }
        return .skipped(line: line, reason: FileValues.reason("\(entryName): \(reason)"))
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
}

/// A file without items.
private final class NoItems: LibraryFileReader {
    func next() throws(LibraryFileError) -> LibraryFileItem? { nil }
}
