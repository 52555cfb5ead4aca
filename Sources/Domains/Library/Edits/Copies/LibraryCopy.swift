import Library
import Model
import Storage

/// A copy of a source's playlist at a service: a row of `library_copies` (docs/copies.md).
package struct LibraryCopy: Sendable, Hashable {
    package enum State: String, Sendable {
        case queued, running
        /// Edits are writing the songs.
        case writing
        /// The service does not show the new playlist, and the user is asked whether it is there.
        case unclear
        case complete, failed

        package var isFinished: Bool { self == .complete || self == .failed }
    }

    package let id: LibraryID
    package let userID: String
    /// The playlist that is being copied.
    package let playlist: LibraryID
    let entriesVersion: Int64
    package let name: String
    let description: String?
    package let target: MusicSource
    package var state: State
    package let total: Int
    /// The new playlist; `nil` until the edit that creates it has begun.
    package var made: LibraryID?
    package var lastEdit: LibraryID?
    var repeats: Int
    /// How many times the database had been restored from a backup when the copy was requested.
    let restores: Int
    package var jobID: String?
    /// Why the copy failed; for a complete copy, what the user should check.
    package var error: EditError?
    package let createdAt: Timestamp
    package var finishedAt: Timestamp?
    package let change: Int64

    /// The question that the user has to answer; `nil` if there is none.
    package var question: String? {
        guard state == .unclear else { return nil }
        let service = target.displayName
        return "All songs were written, but \(service) does not show the new playlist “\(name)”. Look in "
            + "\(service)'s app: is it there?"
    }

    static let columns: SQL = """
        user_id, id, playlist_id, entries_version, name, description, target AS source, state, total, made_id, last_edit,
        repeats, restores, job_id, error_code, error_message, created_at, finished_at, change
        """

    init(row: Row) throws {
        userID = try row["user_id"]
        id = LibraryID(key: try row["id"])
        playlist = LibraryID(key: try row["playlist_id"])
        entriesVersion = try row["entries_version"]
        name = try row["name"]
        description = try row["description"]
        target = try MusicSource(row: row)
        state = try row.word("state")
        total = try row["total"]
        let (made, lastEdit): (Int64?, Int64?) = (try row["made_id"], try row["last_edit"])
        self.made = made.map { LibraryID(key: $0) }
        self.lastEdit = lastEdit.map { LibraryID(key: $0) }
        repeats = try row["repeats"]
        restores = try row["restores"]
        jobID = try row["job_id"]
        let (code, message): (String?, String?) = (try row["error_code"], try row["error_message"])
        error = code.map { EditError(code: $0, message: message ?? "") }
        createdAt = try row["created_at"]
        finishedAt = try row["finished_at"]
        change = try row["change"]
    }
}

/// An entry of a copy: a row of `library_copy_entries`.
package struct CopyEntry: Sendable, Hashable {
    package enum State: String, Sendable {
        case pending
        /// The song to write is known.
        case found
        /// An edit writes the song, or has written it.
        case sent
        /// The service shows the song.
        case placed
        /// The song was not found, or the service does not show it.
        case missing
        /// The user does not want the song.
        case leftOut
    }

    package let position: Int
    package var state: State
    package let sourceTrack: Int64?
    package let title: String
    package let artist: String
    /// The song to write, in the form that `SongReference` parses.
    package var reference: String?
    var writtenID: String?
    var otherID: String?
    var editID: Int64?
    /// What was tried, as shown to people.
    package var tried: [String]
    package var nearest: [CopySuggestion]

    static let columns: SQL = """
        position, state, source_track_id, title, artist, reference, written_id, other_id, edit_id, tried, nearest
        """

    init(row: Row) throws {
        position = try row["position"]
        state = try row.word("state")
        sourceTrack = try row["source_track_id"]
        title = try row["title"]
        artist = try row["artist"]
        reference = try row["reference"]
        writtenID = try row["written_id"]
        otherID = try row["other_id"]
        editID = try row["edit_id"]
        tried = try JSONColumn.decode(try row["tried"], column: "tried")
        nearest = try JSONColumn.decode(try row["nearest"], column: "nearest")
    }
}

/// A song in the other service's catalog that is close to one that was not found.
package struct CopySuggestion: Codable, Sendable, Hashable {
    package var title: String
    package var artist: String
    /// `spotify:ID` or `appleMusic:ID`.
    package var uri: String
}

/// The number of a copy's entries by state.
package struct CopyCounts: Sendable, Hashable {
    /// The number of entries for which it is known whether the service has the song.
    package var matched = 0
    /// The number of entries that the service has confirmed.
    package var placed = 0
    package var missing = 0
    package var leftOut = 0
}

/// A user's choice for an entry of a copy.
package struct CopyChoice: Sendable, Hashable {
    package var position: Int
    /// The song to write; `nil` leaves the entry out.
    package var reference: SongReference?

    package init(position: Int, reference: SongReference?) {
        (self.position, self.reference) = (position, reference)
    }
}

/// Why a request concerning a copy is refused.
package enum CopyRefusal: Error, Sendable, Hashable {
    case noCopy
    case sameSource(MusicSource)
    /// Choices are only accepted once the copy is complete.
    case notComplete
    /// The copy has no open question.
    case notUnclear
    case noSuchEntry(position: Int)
    case otherSource(MusicSource)
    /// The chosen song cannot be written to the service.
    case noSuchSong(EditRefusal)
}

extension CopyRefusal: CustomStringConvertible {
    /// A description for people.
    package var description: String {
        switch self {
        case .noCopy: "You have no copy with this id."
        case .sameSource(let source): "The playlist is already at \(source.displayName). Copy it to another service."
        case .notComplete: "The copy is still being made, or has failed. You can choose songs once it is complete."
        case .notUnclear: "This copy no longer needs an answer. Nothing has changed."
        case .noSuchEntry(let position): "Entry \(position + 1) of the playlist is not among those that were not found."
        case .otherSource(let source): "The copy is at \(source.displayName). Choose a song from its catalog."
        case .noSuchSong(let refusal): "\(refusal)"
        }
    }
}
