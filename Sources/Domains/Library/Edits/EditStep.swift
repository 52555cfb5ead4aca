import Model

/// The state of a playlist's entries at its service.
package struct PlaylistMark: Codable, Sendable, Hashable {
    package var count: Int
    /// Spotify's snapshot id; `nil` if the service does not report one.
    package var version: String?
    /// How many entries certain songs have, by their ids at the service; `nil` if they were not counted.
    package var songs: [String: Int]?

    package init(count: Int, version: String?, songs: [String: Int]? = nil) {
        (self.count, self.version, self.songs) = (count, version, songs)
    }
}

/// One write to a service: a chunk of an edit.
package enum EditAction: Codable, Sendable, Hashable {
    case save([EditTrack])
    case unsave([EditTrack])
    case create(name: String, description: String?, isPublic: Bool)
    /// Adds songs at the end of a playlist.
    ///
    /// - Parameter placed: how many of them an earlier, interrupted write has already added.
    case append([EditTrack], placed: Int = 0)
    /// Compares the list at the service with the one that the user's positions refer to. It writes nothing.
    case verify
    /// Removes every entry of some songs.
    ///
    /// - Parameter entries: the number of entries that they have.
    case remove([String], entries: Int)
    /// Puts songs back at a position.
    ///
    /// - Parameter upTo: for a single song, the number of entries that the list should have: nothing is written if it
    ///   already has that many. `nil` puts all songs back.
    case insert([EditTrack], position: Int, placed: Int = 0, upTo: Int? = nil)
    case rename(name: String, description: String?)

    /// The songs of the action that still have to be written.
    package var tracks: [EditTrack] {
        switch self {
        case .save(let tracks), .unsave(let tracks): tracks
        case .append(let tracks, let placed), .insert(let tracks, _, let placed, _): Array(tracks.dropFirst(placed))
        case .create, .verify, .remove, .rename: []
        }
    }

    /// Whether repeating the action has no effect if it was done.
    var isRepeatable: Bool {
        switch self {
        case .save, .unsave, .verify, .remove, .rename: true
        case .create, .append, .insert: false
        }
    }

    /// Whether it changes something at the service.
    var isWrite: Bool { self != .verify }

    /// The ids of the songs whose entries show whether the action was performed.
    var songIDs: Set<String> {
        switch self {
        case .append, .insert: Set(tracks.map(\.id))
        case .remove(let ids, _): Set(ids)
        case .save, .unsave, .create, .verify, .rename: []
        }
    }

    /// By how many entries the action changes a playlist's length.
    var difference: Int {
        switch self {
        case .append, .insert: tracks.count
        case .remove(_, let entries): -entries
        case .save, .unsave, .create, .verify, .rename: 0
        }
    }
}

/// A step of an edit: a row of `library_edit_steps`.
package struct EditStep: Sendable, Hashable {
    package enum State: String, Sendable {
        case planned
        /// The step may have been made: its request was sent or about to be sent, and no answer is known.
        case sent
        case done
        /// The step is not made: the service refuses it permanently, or others have changed the list meanwhile.
        case refused

        var isOpen: Bool { self == .planned || self == .sent }
    }

    package internal(set) var number: Int
    package var action: EditAction
    package var state = State.planned
    /// The list at the service when the step was sent.
    package var before: PlaylistMark?
    /// The list after the service answered.
    package var after: PlaylistMark?
    package var sentAt: Timestamp?
    /// When the loss of the answer was noticed.
    package var lostAt: Timestamp?
    /// When the step was answered. For a step that is still sent, when the service was read and did not show it.
    package var answeredAt: Timestamp?

    package init(number: Int, action: EditAction) {
        (self.number, self.action) = (number, action)
    }
}
