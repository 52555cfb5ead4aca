import Model

/// The reasons for refusing a request about lists.
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
    /// None of the songs is known to be at the service.
    case nothingToSave(MusicSource)
    case tooManyUnfinished
    /// Too many blends are waiting for other people's consent.
    case tooManyWaiting
    /// A blend with oneself.
    case alone
    /// The person has blocked the partner.
    case blocked
    /// The partner has not asked, or the person may not know that there is such a person.
    case notAsked
}

extension CurationRefusal: CustomStringConvertible {
    /// The message that people read.
    package var description: String {
        switch self {
        case .noList: "You have no list with this id."
        case .noTrack: "You have no track with this id."
        case .noPlaylist: "You have no playlist with this id."
        case .libraryEmpty:
            "Your library has no songs yet. Connect Spotify or Apple Music, or import a file, and ask again once the "
                + "first sync is done."
        case .playlistNotRead: "The songs of this playlist have not been read yet. Wait for the next sync."
        case .notComplete: "The list is still being made, or it has failed. Wait until it is complete."
        case .notInList(let id): "The song “\(id.prefix(60))” is not in this list, so it cannot be pinned."
        case .nothingToSave(let service):
            "None of these songs is known to be at \(service.displayName). Nothing was saved."
        case .alone: "A blend is made from two people's music. Name somebody else."
        case .blocked: "You have blocked this person. Unblock them first (DELETE /v1/ai/blend-partners/{username})."
        case .notAsked: "This person has not asked you for blends, or has withdrawn the request."
        case .tooManyUnfinished: "Many lists are already being made for you. Wait until some of them are done."
        case .tooManyWaiting:
            "Many of your blends are already waiting for other people's consent. Delete one of them first "
                + "(DELETE /v1/ai/blends/{id}), or wait for an answer."
        }
    }
}
