import Foundation
import Model
import Storage

/// What a person sends to share a song.
package struct ShareDraft: Sendable, Equatable {
    /// A UUID that the person's client has made, in lower case; unique among the person's shares for good.
    package let clientID: String
    package let song: ShareChoice
    /// `nil` for none.
    package let message: String?

    /// The most Unicode scalars of a message.
    package static let longestMessage = 1_000

    /// - Parameter message: cleaned of what nobody sees, and of what changes the direction of the text around it.
    package init(clientID: String, song: ShareChoice, message: String?) {
        (self.clientID, self.song) = (clientID, song)
        let text = message?.replacing("\r\n", with: "\n").withoutControls.withoutHidden
            .trimmingCharacters(in: .whitespacesAndNewlines)
        self.message = text.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Equal for equal bodies only.
    var canonical: String {
        get throws { try JSONColumn.encode(song.parts + [message ?? ""]) }
    }
}

/// The song that somebody wants to share, by where they found it.
package enum ShareChoice: Sendable, Equatable {
    /// A track of the person's library.
    case track(LibraryID)
    /// A track of a service's catalog.
    case catalog(MusicSource, String)
    /// A song of a list that was made for the person.
    case listed(list: String, track: String)
    case listen(LibraryID)
    /// The song of another share.
    case share(ShareID)
    /// The song of a message of one of the person's threads.
    case message(NumberedID)

    /// Equal for equal choices only.
    package var parts: [String] {
        switch self {
        case .track(let id): ["track", id.text]
        case .catalog(let source, let id): ["catalog", source.rawValue, id]
        case .listed(let list, let track): ["listed", list, track]
        case .listen(let id): ["listen", id.text]
        case .share(let id): ["share", id.text]
        case .message(let id): ["message", id.text]
        }
    }
}
