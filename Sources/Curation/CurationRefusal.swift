import Model

/// Why a request about lists is refused.
package enum CurationRefusal: Error, Sendable, Hashable {
    case noList
    case noTrack
    case noPlaylist
    /// The library has nothing to make a list from.
    case libraryEmpty
    case playlistNotRead
    case notComplete
    /// A pinned song is not in the list.
    case notInList(String)
    /// None of the songs is known at the service.
    case nothingToSave(MusicSource)
    case tooManyUnfinished
    /// Too many blends wait for other people's consent.
    case tooManyWaiting
    /// Too many people were asked today.
    case tooManyRequests
    /// A blend with oneself.
    case alone
    /// The person has blocked the partner.
    case blocked
    /// The partner has not asked.
    case notAsked
}

extension CurationRefusal: CustomStringConvertible {
    /// For people.
    package var description: String {
        switch self {
        case .noList: "You have no list with this id."
        case .noTrack: "You have no track with this id."
        case .noPlaylist: "You have no playlist with this id."
        case .libraryEmpty:
            "Your library has no songs yet. Connect Spotify or Apple Music, or import a file, and ask again when its "
                + "first sync has ended."
        case .playlistNotRead: "The songs of this playlist were not read yet. Wait for the next sync."
        case .notComplete: "The list is still being made, or has failed. Wait until it is complete."
        case .notInList(let id): "The song “\(id.prefix(60))” is not in this list, and cannot be pinned."
        case .nothingToSave(let service): "None of these songs is known at \(service.displayName). Nothing was saved."
        case .tooManyRequests:
            "You have asked or blocked many people today. Go on tomorrow (UTC), and make sure that you write their "
                + "usernames exactly as they do."
        case .alone: "A blend is made of two people's music. Name somebody else."
        case .blocked: "You have blocked this person. Take that back first (DELETE /v1/ai/blend-partners/{username})."
        case .notAsked: "This person has not asked you for blends, or has taken that back."
        case .tooManyUnfinished: "Many lists are being made for you already. Wait until some of them are done."
        case .tooManyWaiting:
            "Many of your blends wait for other people's consent already. Delete one of them first "
                + "(DELETE /v1/ai/blends/{id}), or wait for an answer."
        }
    }
}
