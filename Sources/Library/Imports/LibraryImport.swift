import Model

/// An import of a file, as people see it.
package struct LibraryImport: Sendable, Hashable {
    package enum State: String, Sendable, CaseIterable {
        case queued, running, complete, failed
        /// What it brought is being removed.
        case undoing
        case undone

        /// Whether its file is still needed.
        package var needsFile: Bool { self == .queued || self == .running }
    }

    /// How many rows of the file were read.
    package struct Counts: Sendable, Hashable, Codable {
        /// Songs that the library did not have.
        package var new = 0
        /// Songs that the library had.
        package var joined = 0
        /// Rows that were not taken.
        package var skipped = 0

        package var read: Int { new + joined + skipped }
        var taken: Int { new + joined }

        package init() {}

        init(new: Int, joined: Int, skipped: Int) {
            (self.new, self.joined, self.skipped) = (new, joined, skipped)
        }
    }

    /// A row that was not taken.
    package struct Skip: Sendable, Hashable {
        /// Counts from 1; of a JSON array, the element.
        package var line: Int
        package var reason: String

        package init(line: Int, reason: String) {
            (self.line, self.reason) = (line, reason)
        }
    }

    package var id: LibraryID
    /// As the person's device calls it.
    package var filename: String
    /// The name of the file beside the database.
    package var file: String
    package var bytes: Int
    /// `nil` until the file is opened.
    package var kind: String?
    package var state: State
    package var counts: Counts
    package var error: String?
    package var createdAt: Timestamp
    package var finishedAt: Timestamp?
    /// The number in the change sequence.
    package var change: Int64
    /// Whether it brought playlists that the library did not have. They are no rows.
    package var hasNewPlaylists = false
    /// How many playlists of the file the library had from elsewhere. They were not added again.
    package var knownPlaylists = 0
}

extension LibraryImport {
    /// What a complete import has not added, for people: why it has brought no songs and no listens, and how many
    /// playlists the library had. `nil` when it has added all.
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
            return counts.joined == 0
                ? "The file has no songs that could be taken. Its playlists were added."
                : "The songs of the file were known. Its playlists were added."
        }
        if counts.read == 0 { return "The file has no songs and no listens. Nothing was added." }
        if counts.joined == 0 { return "No row of the file could be taken; the list of skipped rows says why." }
        return counts.skipped == 0
            ? "Everything in the file was known. Nothing was added."
            : "Everything in the file was known or skipped. Nothing was added."
    }
}

/// Why an import is refused.
package enum LibraryImportRefusal: Error, Sendable, Hashable {
    /// Another import of the person is not finished.
    case isRunning
    case noImport
    /// An import that has not ended cannot be removed.
    case notEnded
    /// What it brought is no longer known.
    case tooOld
}
