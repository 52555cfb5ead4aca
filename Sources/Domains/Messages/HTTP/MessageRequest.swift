import Accounts
import Gateway
import Messages
import Model
import Shares

/// What a request to send a message asks for.
struct MessageRequest {
    let draft: MessageDraft
    /// `nil` for a message without a song.
    let choice: ShareChoice?

    /// - Parameters:
    ///   - clientID: a UUID in lower case.
    ///   - song: reads the song that the request names.
    /// - Throws: a ``Problem`` with the path of the wrong field.
    init(_ body: RequestField, clientID: String, song: (_ field: RequestField) throws -> ShareChoice) throws {
        let fields = try body.object(["text", "song"])
        let choice = try fields["song"].map { try song($0) }
        let text = try fields["text"].map { WrittenText.cleaned(try $0.string(limit: MessageDraft.longestText)) }
        guard let draft = MessageDraft(clientID: clientID, text: text, songParts: choice?.parts ?? []) else {
            throw body.refuse("the message is empty: send a text, a song, or both.")
        }
        (self.draft, self.choice) = (draft, choice)
    }
}
