import Model

/// An import of a file, as it is shown to people.
package struct LibraryImport: Sendable, Hashable {
    package enum State: String, Sendable, CaseIterable {
        case queued, running, complete, failed
        /// What the import added is being removed.
        case undoing
        case undone

        /// Whether the import still needs its file.
        package var needsFile: Bool { self == .queued || self == .running }
    }

    /// The number of rows of the file that were read, by result.
    package struct Counts: Sendable, Hashable, Codable {
        /// Songs and listens that were new to the library, and entries of new playlists that are not songs.
        package var new = 0
        /// Songs and listens that the library already had, and entries of playlists that it already had.
        package var joined = 0
        /// Rows that were not imported.
        package var skipped = 0

        package var read: Int { new + joined + skipped }
        var taken: Int { new + joined }

        package init() {}

        init(new: Int, joined: Int, skipped: Int) {
            (self.new, self.joined, self.skipped) = (new, joined, skipped)
        }
    }

    /// A row that was not imported.
    package struct Skip: Sendable, Hashable {
        /// The line, counted from 1; in a JSON array, the number of the element.
        package var line: Int
        package var reason: String

        package init(line: Int, reason: String) {
            (self.line, self.reason) = (line, reason)
        }
    }

    package var id: LibraryID
    /// The file's name on the user's device.
    package var filename: String
    /// The file's name in the folder of imports.
    package var file: String
    package var bytes: Int
    /// The kind of the file; `nil` until the file is opened.
    package var kind: String?
    package var state: State
    package var counts: Counts
    package var error: String?
    package var createdAt: Timestamp
    package var finishedAt: Timestamp?
    /// The change number of the latest update.
    package var change: Int64
    /// Whether the import added new playlists, which do not count as rows.
    package var hasNewPlaylists = false
    /// The number of playlists in the file that the library already had from elsewhere, so that they were not added
    /// again.
    package var knownPlaylists = 0
}

extension LibraryImport {
    /// What a complete import did not add, for people: why it added no songs or listens, and how many playlists the
    /// library already had. `nil` if everything was added.
    package var message: String? {
        guard state == .complete else { return nil }
        let texts = [reasonForNothing, playlistsAreKnown].compactMap(\.self)
        return texts.isEmpty ? nil : texts.joined(separator: " ")
    }

    private var playlistsAreKnown: String? {
        switch knownPlaylists {
        case ...0: nil
        case 1: "One playlist in the file is already in the library and was not added again."
        default: "\(knownPlaylists) playlists in the file are already in the library and were not added again."
        }
    }

    private var reasonForNothing: String? {
        guard counts.new == 0 else { return nil }
        if hasNewPlaylists {
            if counts.read == 0 { return "The file contains no songs or listens. Its playlists were added." }
            return counts.joined == 0
                ? "None of the songs in the file could be imported. Its playlists were added."
                : "All songs in the file were already known. Its playlists were added."
        }
        if counts.read == 0 { return "The file contains no songs or listens. Nothing was added." }
        if counts.joined == 0 { return "No row of the file could be imported; the list of skipped rows shows why." }
        return counts.skipped == 0
            ? "Everything in the file was already known. Nothing was added."
            : "Everything in the file was already known or was skipped. Nothing was added."
    }
}

/// Why a request concerning an import is refused.
package enum LibraryImportRefusal: Error, Sendable, Hashable {
    /// Another import of the user has not finished yet.
    case isRunning
    case noImport
    /// An import can only be removed once it has ended.
    case notEnded
    /// The record of what the import added has been deleted.
    case tooOld
}
