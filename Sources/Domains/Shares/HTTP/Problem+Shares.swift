import Gateway
import Model
import Shares

extension Problem {
    init(_ refusal: ShareRefusal) {
        self =
            switch refusal {
            case .unknownShare: .unknownShare
            case .otherShare:
                .conflict(
                    code: .otherShare,
                    "You have sent another share with this id or Idempotency-Key. Send each share with its own.")
            case .ownShare: .conflict(code: .selfTarget, "You cannot react to your own share.")
            case .tooManyLinks(let limit):
                .conflict(
                    code: .tooManyLinks,
                    "You have \(limit) links, which is the limit. Revoke one first, or wait until one expires.")
            case .unknownLink: .notFound("link")
            case .profileIsPrivate:
                .conflict(
                    code: .profileIsPrivate,
                    "Your profile is private, so that no link may show what you share. Change who may see it first.")
            }
    }

    /// Nobody learns from it whether there is no such share, or it was taken back, or its sender hides it.
    static let unknownShare = Problem(
        .notFound, code: .notFound, title: "Not found",
        detail: "There is no share with this id, or you may not see it.")

    /// Nobody learns from it whether a person does not exist or hides.
    static let unknownPerson = Problem(
        .notFound, code: .notFound, title: "Not found",
        detail: "There is nobody with that name, or you may not see their profile.")

    static let unknownTrack = unknownSong("$.song.libraryTrackId", "you have no track with this id.")
    static let unknownListen = unknownSong("$.song.listenId", "you have no listen with this id.")
    static let unknownSharedSong = unknownSong(
        "$.song.shareId", "there is no share with this id, or you may not see it.")
    /// Nobody learns from it whether there is no such message, or it is somebody else's, was deleted or has no song.
    static let unknownSentSong = unknownSong(
        "$.song.messageId", "you have no message with this id that has a song you may see.")
    static let unknownListedSong = unknownSong(
        "$.song.itemId", "you have no list with these ids of the list and the song.")

    static func unknownTrack(at source: MusicSource) -> Problem {
        unknownSong("$.song.sourceId", "\(source.displayName) has no track with this id, or does not show it to you.")
    }

    /// The song that a request names cannot be found.
    static func unknownSong(_ field: String, _ reason: String) -> Problem {
        .invalidRequest(code: .invalidField, "\(field): \(reason)", field: field)
    }
}
