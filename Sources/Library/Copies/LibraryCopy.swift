import Model
import Storage

/// A playlist of one source that is made in a service: a row of `library_copies` (docs/copies.md).
package struct LibraryCopy: Sendable, Hashable {
    package enum State: String, Sendable {
        case queued, running
        /// Edits are under way.
        case writing
        /// The service does not show the new playlist: the person is asked whether it is there.
        case unclear
        case complete, failed

        package var isFinished: Bool { self == .complete || self == .failed }
    }

    package let id: LibraryID
    package let userID: String
    /// The playlist that is copied.
    package let playlist: LibraryID
    let entriesVersion: Int64
    package let name: String
    let description: String?
    package let target: MusicSource
    package var state: State
    package let total: Int
    /// The new playlist; `nil` before it was begun.
    package var made: LibraryID?
    package var lastEdit: LibraryID?
    var repeats: Int
    /// How often the database had been restored from a backup when the copy was asked for.
    let restores: Int
    package var jobID: String?
    /// Why it failed; of a complete copy, what the person is to look at.
    package var error: EditError?
    package let createdAt: Timestamp
    package var finishedAt: Timestamp?
    package let change: Int64

    /// What the person is asked.
    package var question: String? {
        guard state == .unclear else { return nil }
        let service = target.displayName
        return "All songs are written, but \(service) does not show the new playlist “\(name)”. Look in "
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
        /// It is known which song to write.
        case found
        /// An edit writes it, or has written it.
        case sent
        /// The service shows it.
        case placed
        /// It was not found, or is not shown.
        case missing
        /// The person does not want it.
        case leftOut
    }

    package let position: Int
    package var state: State
    package let sourceTrack: Int64?
    package let title: String
    package let artist: String
    /// The song to write, as `EditTrackReference` reads it.
    package var reference: String?
    var writtenID: String?
    var otherID: String?
    var editID: Int64?
    /// What was tried, for people.
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

/// A song of the other service that comes near one that was not found.
package struct CopySuggestion: Codable, Sendable, Hashable {
    package var title: String
    package var artist: String
    /// `spotify:ID` or `appleMusic:ID`.
    package var uri: String
}

/// How many entries of a copy are in which state.
package struct CopyCounts: Sendable, Hashable {
    /// Of which it is known whether there is such a song.
    package var matched = 0
    /// That the service has confirmed.
    package var placed = 0
    package var missing = 0
    package var leftOut = 0
}

/// What a person chooses for an entry of a copy.
package struct CopyChoice: Sendable, Hashable {
    package var position: Int
    /// `nil` leaves the entry out.
    package var reference: EditTrackReference?

    package init(position: Int, reference: EditTrackReference?) {
        (self.position, self.reference) = (position, reference)
    }
}

/// Why a copy is refused.
package enum CopyRefusal: Error, Sendable, Hashable {
    case noCopy
    case sameSource(MusicSource)
    /// Choices are taken when the copy is complete.
    case notComplete
    /// Nothing is asked about the copy.
    case notUnclear
    case noSuchEntry(position: Int)
    case otherSource(MusicSource)
    /// A chosen song that cannot be written to the service.
    case noSuchSong(EditRefusal)
}

extension CopyRefusal: CustomStringConvertible {
    /// For people.
    package var description: String {
        switch self {
        case .noCopy: "You have no copy with this id."
        case .sameSource(let source): "The playlist is at \(source.displayName) already. Copy it to another service."
        case .notComplete: "The copy is still being made, or has failed. Choose when it is complete."
        case .notUnclear: "Nothing is asked about this copy any more. Nothing has changed."
        case .noSuchEntry(let position): "Entry \(position + 1) of the playlist is not among those that were not found."
        case .otherSource(let source): "The copy is at \(source.displayName). Choose a song of its catalog."
        case .noSuchSong(let refusal): "\(refusal)"
        }
    }
}
