import Model
import Storage
import Visibility

/// A shared song, as a viewer sees it.
package struct Share: Sendable, Equatable {
    package let id: ShareID
    /// Who shared it, and how the viewer stands to them.
    package let sender: Standing
    package let isMine: Bool
    package let song: ShareSong
    /// The key of the song's content.
    package let content: Int64
    package let message: String?
    package var reactions: ShareReactions
    /// Until when it is pinned to the sender's profile; `nil` if it is not.
    package let pinnedUntil: Timestamp?

    /// When it was shared, in milliseconds.
    package var at: Timestamp { id.moment }
}

extension Share {
    init(row: Row, for viewer: Viewer) throws {
        let sender = try Standing(row: row)
        self.init(
            id: try ShareID(row: row), sender: sender, isMine: sender.key == viewer.key, song: try ShareSong(row: row),
            content: try row["content"], message: try row["message"], reactions: try ShareReactions(row: row),
            pinnedUntil: try row["pinned_until"])
    }
}

extension ShareReactions {
    /// The viewer's own.
    ///
    /// - Parameter row: with `mine` and `has_thanked`.
    init(row: Row) throws {
        self.init(
            mine: (try row["mine"] as Int64?).flatMap(ShareReaction.init(number:)),
            hasThanked: try row["has_thanked"] as Bool? ?? false)
    }
}

extension ItemKind {
    /// A shared song.
    package static let share = ItemKind("share")
}

extension ChangeTopic {
    /// Shared songs, and reactions to them.
    package static let shares = ChangeTopic("shares")
}
