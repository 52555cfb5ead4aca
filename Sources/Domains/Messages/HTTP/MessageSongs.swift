import Gateway
import Messages
import Model
import Shares
import Storage
import Vault
import Visibility

/// What messages need of the domain of shared songs: which song a request names, what is shown of it, and how.
package struct MessageSongs: Sendable {
    /// The song that a request names. It throws a ``Problem``.
    let choose: @Sendable (_ field: RequestField) throws -> ShareChoice
    /// What is shown of a song. It may ask a service in the person's name, and throws a ``Problem``.
    let find: @Sendable (_ choice: ShareChoice, _ userID: String) async throws -> ShareSong
    /// What is shown of a song that was found, in the transaction that sends it. It throws a ``Problem`` for one that the
    /// person does not see any longer.
    let confirm:
        @Sendable (
            _ choice: ShareChoice, _ found: ShareSong, _ userID: String, _ transaction: WriteTransaction
        ) throws -> ShareSong
    /// Writes the members of a song.
    let write: @Sendable (_ song: ShareSong, _ json: inout JSONWriter) -> Void

    package init(
        choose: @escaping @Sendable (_ field: RequestField) throws -> ShareChoice,
        find: @escaping @Sendable (_ choice: ShareChoice, _ userID: String) async throws -> ShareSong,
        confirm:
            @escaping @Sendable (
                _ choice: ShareChoice, _ found: ShareSong, _ userID: String, _ transaction: WriteTransaction
            ) throws -> ShareSong,
        write: @escaping @Sendable (_ song: ShareSong, _ json: inout JSONWriter) -> Void
    ) {
        (self.choose, self.find, self.confirm, self.write) = (choose, find, confirm, write)
    }
}

/// The songs of messages, which can be sent on and shared.
package struct SentSongs: Sendable {
    private let textKeys: CurrentTextKeys

    package init(textKeys: CurrentTextKeys) { self.textKeys = textKeys }

    /// The song of a message, as a person sees the message at this moment.
    ///
    /// - Returns: `nil` for a message that is not in one of the person's threads, that they do not see any longer, or
    ///   that has no song; the same for one whose key is missing, of which they see nothing either.
    package func song(
        ofMessage id: MessageID, seenBy userID: String, in reader: some SQLReader
    ) throws -> ShareSong? {
        guard let viewer = try reader.visibility.viewer(userID: userID),
            let message = try reader.messages.message(id, for: viewer, now: .now())
        else { return nil }
        return (try? message.content(textKeys))?.song?.shown
    }
}

extension MessageSong {
    /// A song as it is when it is sent.
    init(_ song: ShareSong) {
        self.init(
            title: song.title, artists: song.artists, album: song.album, durationMs: song.durationMs, isrc: song.isrc,
            isExplicit: song.isExplicit,
            pictures: (song.picture?.offers ?? []).map { Picture(address: $0.address, width: $0.width) },
            preview: song.preview, spotifyID: song.spotifyID, appleID: song.apple?.id,
            appleCountry: song.apple?.country)
    }

    /// The song as shares show it; `nil` for a stored song that this version does not accept.
    var shown: ShareSong? {
        ShareSong(
            title: title, artists: artists, album: album, durationMs: durationMs, isrc: isrc, isExplicit: isExplicit,
            picture: Model.Picture(pictures.map { Model.Picture.Offer(address: $0.address, width: $0.width) }),
            preview: preview, spotifyID: spotifyID,
            apple: appleID.flatMap { ShareSong.AppleID($0, country: appleCountry) })
    }
}
