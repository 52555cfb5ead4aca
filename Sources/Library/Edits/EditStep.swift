import Model

/// What is known of a playlist's entries at its service.
package struct PlaylistMark: Codable, Sendable, Hashable {
    package var count: Int
    /// Spotify's snapshot id; `nil` where the service tells none.
    package var version: String?
    /// How many entries some songs have, by their ids at the service; `nil` where they were not counted.
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
    /// - Parameter placed: how many of them an earlier, interrupted write has placed.
    case append([EditTrack], placed: Int = 0)
    /// Compares the list at the service with the one whose positions the person named. It writes nothing.
    case verify
    /// Removes every entry of some songs.
    ///
    /// - Parameter entries: how many entries they have.
    case remove([String], entries: Int)
    /// Puts songs back at a position.
    ///
    /// - Parameter upTo: the entries that the list is to have of the song, which is one then: nothing is written where
    ///   it has them. `nil` puts all back.
    case insert([EditTrack], position: Int, placed: Int = 0, upTo: Int? = nil)
    case rename(name: String, description: String?)

    /// The songs of the action that are still to be written.
    package var tracks: [EditTrack] {
        switch self {
        case .save(let tracks), .unsave(let tracks): tracks
        case .append(let tracks, let placed), .insert(let tracks, _, let placed, _): Array(tracks.dropFirst(placed))
        case .create, .verify, .remove, .rename: []
        }
    }

    /// Whether writing it again does nothing when it was done.
    var isRepeatable: Bool {
        switch self {
        case .save, .unsave, .verify, .remove, .rename: true
        case .create, .append, .insert: false
        }
    }

    /// Whether it changes something at the service.
    var isWrite: Bool { self != .verify }

    /// The ids of the songs whose entries tell whether it was made.
    var songIDs: Set<String> {
        switch self {
        case .append, .insert: Set(tracks.map(\.id))
        case .remove(let ids, _): Set(ids)
        case .save, .unsave, .create, .verify, .rename: []
        }
    }

    /// How many entries of a playlist come, or go, with it.
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
        /// It may have been written: the request left, or was about to, and no answer is known.
        case sent
        case done
        /// It is not made: the service refuses it for good, or others have changed the list meanwhile.
        case refused

        var isOpen: Bool { self == .planned || self == .sent }
    }

    package internal(set) var number: Int
    package var action: EditAction
    package var state = State.planned
    /// The list at the service when it was sent.
    package var before: PlaylistMark?
    /// The list after the service answered.
    package var after: PlaylistMark?
    package var sentAt: Timestamp?
    /// When it was seen that there is no answer.
    package var lostAt: Timestamp?
    /// When it was answered. Of a step that is sent, when the service was read and did not show it.
    package var answeredAt: Timestamp?

    package init(number: Int, action: EditAction) {
        (self.number, self.action) = (number, action)
    }
}
