import Model

/// An item of a file of songs, playlists and listens, in the order in which it is read.
package enum LibraryFileItem: Sendable, Equatable {
    /// A row with a song.
    case track(FileTrack, line: Int)
    /// A row with a play of a song.
    case listen(FileListen, line: Int)
    /// A row that continues the play of another one.
    case continued(line: Int)
    /// A row that was not imported.
    ///
    /// - Parameters:
    ///   - line: counted from 1; in a JSON array, the number of the element.
    ///   - reason: a text for people, without a period at its end.
    case skipped(line: Int, reason: String)
    /// A playlist, whose songs came before it. It is not a row, but some of its entries may be
    /// (``FilePlaylist/otherRows``).
    case playlist(FilePlaylist)

    var line: Int? {
        switch self {
        case .track(_, let line), .listen(_, let line), .continued(let line), .skipped(let line, _): line
        case .playlist: nil
        }
    }
}

/// A song of a file.
package struct FileTrack: Sendable, Equatable {
    /// The song. Its `sourceID` is its key: the same in every file that has the song.
    package var track: SourceTrack
    /// Whether it is part of the library, and not only of a playlist.
    package var isSaved: Bool

    package init(_ track: SourceTrack, isSaved: Bool = true) {
        (self.track, self.isSaved) = (track, isSaved)
    }
}

extension SourceTrack {
    /// Why a row is not accepted as a song; `nil` for a song. Files that Backline wrote may have songs without names,
    /// as services list them: those have an address.
    func refusal(isOwn: Bool) -> String? {
        if isOwn, !(title + artist + album).isEmpty || SongKey.normalized(sourceID) != nil { return nil }
        if title.isEmpty { return "the song has no title" }
        return artist.isEmpty ? "the song has no artist" : nil
    }
}

/// A playlist of a file.
package struct FilePlaylist: Sendable, Equatable {
    /// The most entries of a playlist, which stays in memory until it is written; in a CSV file, of all its playlists
    /// together. The services allow lists of 10,000 to 100,000.
    static let mostEntries = 100_000
    /// The most bytes of titles in a playlist, for entries that are not songs of the file.
    static let mostTitleBytes = 1 << 24
    static let isFull = "a file may have at most \(mostEntries) playlist entries; split it"

    /// One entry.
    package struct Entry: Sendable, Equatable {
        /// What an entry is. The raw values appear in files that Backline writes.
        package enum Kind: String, Sendable {
            case track
            /// A file on the owner's device.
            case local
            case episode
            /// A song that cannot be played, or that the file does not describe.
            case unavailable
        }

        /// The key of a song of the file; `nil` for an entry that is not a song, or that the file does not describe.
        package var key: String?
        package var title: String?
        package var addedAt: Timestamp?
        package var kind: Kind

        /// - Parameter kind: the default is ``Kind/track`` with a key, and ``Kind/unavailable`` without one.
        package init(key: String?, title: String? = nil, addedAt: Timestamp? = nil, kind: Kind? = nil) {
            (self.key, self.title, self.addedAt) = (key, title, addedAt)
            self.kind = kind ?? (key == nil ? .unavailable : .track)
        }
    }

    /// The playlist's key, the same in every file that has the playlist. A reader leaves it empty if the file has none;
    /// ``LibraryFile`` then fills it in.
    package var key: String
    package var name: String
    package var description: String?
    package var entries: [Entry]
    /// The number of entries that are rows of the file without an item of their own: episodes, files on a device, and
    /// what cannot be played. An entry whose row was skipped as a song is not among them.
    package var otherRows = 0

    var hasRoom: Bool { entries.count < Self.mostEntries }

    package init(key: String, name: String, description: String? = nil, entries: [Entry] = []) {
        (self.key, self.name, self.description, self.entries) = (key, name, description, entries)
    }
}

/// Why a file cannot be read at all, or not to its end. The text is for people.
package struct LibraryFileError: Error, Sendable, Hashable, CustomStringConvertible {
    package var description: String
    /// Whether the only thing wrong with the file is that its kind is not known.
    var isOfUnknownKind = false
    /// Whether the archive that has the file was damaged after it was written.
    var isOfDamagedArchive = false

    /// - Parameter description: it may quote the file, whose hidden characters are left out.
    package init(_ description: String) {
        self.description = description.withoutHidden
    }

    init(_ description: String, isOfUnknownKind: Bool) {
        self.init(description)
        self.isOfUnknownKind = isOfUnknownKind
    }

    /// The reading task was cancelled. The file may be complete.
    package static let cancelled = LibraryFileError("The file was not read to its end: reading was cancelled.")
}

/// Reads a file item by item.
protocol LibraryFileReader: AnyObject {
    /// - Returns: `nil` at the end.
    func next() throws(LibraryFileError) -> LibraryFileItem?
}
