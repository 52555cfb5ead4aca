import Library
import Model
import Storage

/// A change that a user makes at a service: a row of `library_edits`.
package struct LibraryEdit: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        case save, unsave, createPlaylist, addTracks, removeEntries, renamePlaylist
        /// Puts back songs that an edit has removed and failed to put back.
        case putBackEntries

        /// Whether later edits of the same list build on this one, so that they fail with it.
        var isBase: Bool {
            switch self {
            case .createPlaylist, .addTracks, .removeEntries: true
            case .save, .unsave, .renamePlaylist, .putBackEntries: false
            }
        }
    }

    package enum State: String, Sendable, CaseIterable {
        case queued, running, complete, failed, unclear

        package var isFinished: Bool { self == .complete || self == .failed }
    }

    package let id: LibraryID
    package let userID: String
    package let libraryID: Int64
    package let source: MusicSource
    package let accountID: Int64
    package let kind: Kind
    /// Edits with the same target are made one after the other.
    package let target: String
    package var state: State
    /// The key of the playlist.
    package var playlistKey: Int64?
    package let title: String
    var undo: EditUndo
    package var done: Int
    package let total: Int
    package var error: EditError?
    /// The songs that were removed and should have been put back, but were not. `POST /v1/library/edits/{id}/missing`
    /// puts them back.
    package var missing: [MissingSong]
    package var question: String?
    package var jobID: String?
    /// The job that makes the edit as part of its own work.
    package var partOf: String?
    /// How many times the database had been restored when the edit was started, or was last compared with the service.
    let restores: Int
    package let createdAt: Timestamp
    package var finishedAt: Timestamp?
    package let change: Int64

    package var playlistID: LibraryID? { playlistKey.map { LibraryID(key: $0) } }

    static let columns: SQL = """
        id, user_id, library_id, source, account_id, kind, target, state, playlist_id, title, undo, done, total,
        error_code, error_message, missing, question, job_id, part_of, restores, created_at, finished_at, change
        """

    init(row: Row) throws {
        id = LibraryID(key: try row["id"])
        userID = try row["user_id"]
        libraryID = try row["library_id"]
        source = try MusicSource(row: row)
        accountID = try row["account_id"]
        kind = try row.word("kind")
        target = try row["target"]
        state = try row.word("state")
        playlistKey = try row["playlist_id"]
        title = try row["title"]
        undo = try JSONColumn.decode(try row["undo"], column: "undo")
        done = try row["done"]
        total = try row["total"]
        let (code, message): (String?, String?) = (try row["error_code"], try row["error_message"])
        error = code.map { EditError(code: $0, message: message ?? "") }
        let missing: String? = try row["missing"]
        self.missing = try missing.map { try JSONColumn.decode($0, column: "missing") } ?? []
        question = try row["question"]
        restores = try row["restores"]
        jobID = try row["job_id"]
        partOf = try row["part_of"]
        createdAt = try row["created_at"]
        finishedAt = try row["finished_at"]
        change = try row["change"]
    }
}

/// Why an edit failed, for programs and people.
package struct EditError: Sendable, Hashable, Error {
    package var code: String
    package var message: String

    package init(code: String, message: String) {
        (self.code, self.message) = (code, message)
    }
}

/// What is needed to undo an edit's change in the library.
struct EditUndo: Codable, Sendable, Hashable {
    /// The former state of a source track.
    struct Track: Codable, Sendable, Hashable {
        var id: Int64
        var wasSaved: Bool
        var missingSince: Timestamp?
        var addedAt: Timestamp?
    }

    var tracks: [Track] = []
    /// The version of a playlist's entries that the edit shows.
    var shownVersion: Int64?
    /// The version that was shown before.
    var formerVersion: Int64?
    /// The position of the first song that was added.
    var start: Int?
    var name: String?
    var description: String?
    /// The ids of songs that the library does not know yet, by their index among the songs that are added.
    var unknown: [Int: String] = [:]
}
