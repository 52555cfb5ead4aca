import Model
import Storage
import Vault
import Visibility

/// The id of a message.
package typealias MessageID = NumberedID

/// A message as one of the two people of its thread sees it. Its content is opened where it is shown.
package struct Message: Sendable, Equatable {
    package enum State: Sendable, Equatable {
        case shown
        /// By who sent it.
        case deleted
        /// The other person is gone, or cannot be reached.
        case hidden
    }

    package let id: MessageID
    package let threadID: String
    package let isMine: Bool
    /// The id that the viewer's client gave it; `nil` for the other person's.
    package let clientID: String?
    package let state: State
    let sender: Int64
    let sealed: SealedText?

    /// When the server stored it, in milliseconds.
    package var at: Timestamp { id.moment }

    /// Opens the content of a message that is shown; `nil` for any other.
    ///
    /// - Throws: `TextKeyError`; `StorageError`.
    package func content(_ keys: CurrentTextKeys) throws -> MessageContent? {
        guard state == .shown, let sealed else { return nil }
        let text = try keys.open(sealed, as: MessageContent.name(number: id.number, sender: sender))
        return try JSONColumn.decode(text, column: "messages.sealed")
    }
}

extension Message {
    /// The columns of a row, of the table `messages`.
    static let columns: SQL = """
        messages.number AS message_number, messages.sender AS message_sender, messages.client AS message_client,
        messages.sent_at AS message_sent_at, messages.key_id AS message_key_id, messages.sealed AS message_sealed
        """

    /// - Parameters:
    ///   - row: with ``columns``.
    ///   - isHidden: whether the texts of the other person are not shown.
    init(row: Row, threadID: String, viewer: PersonKey, isHidden: Bool) throws {
        let sender: Int64 = try row["message_sender"]
        let isMine = sender == viewer.rawValue
        let keyID: String? = try row["message_key_id"]
        var (state, sealed): (State, SealedText?) = (.deleted, nil)
        if isHidden, !isMine {
            state = .hidden
        } else if let keyID {
            (state, sealed) = (.shown, SealedText(keyID: keyID, bytes: try row["message_sealed"]))
        }
        self.init(
            id: MessageID(number: try row["message_number"], milliseconds: try row["message_sent_at"]),
            threadID: threadID, isMine: isMine, clientID: isMine ? try row["message_client"] : nil, state: state,
            sender: sender, sealed: sealed)
    }
}

extension ItemKind {
    /// A message in people's event streams.
    package static let message = ItemKind("message")
    /// A thread in people's event streams.
    package static let thread = ItemKind("thread")
}

extension ChangeTopic {
    /// Messages, and the threads that they are in.
    package static let messages = ChangeTopic("messages")
}
