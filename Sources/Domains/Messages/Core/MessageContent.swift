import Foundation
import Model
import Storage
import Vault

/// What somebody has written: a text, a song, or both. It is sealed as one document.
package struct MessageContent: Sendable, Equatable, Codable {
    package var text: String?
    package var song: MessageSong?

    package init(text: String?, song: MessageSong?) {
        (self.text, self.song) = (text, song)
    }

    /// The name under which the content of a message is sealed.
    ///
    /// - Parameters:
    ///   - number: the message's.
    ///   - sender: the key of who has written it.
    static func name(number: Int64, sender: Int64) -> TextName {
        TextName(table: "messages", row: String(number), author: String(sender))
    }
}

/// A song as it was when it was sent. The ids are those that the services gave.
package struct MessageSong: Sendable, Equatable, Codable {
    package var title: String
    /// At least one.
    package var artists: [String]
    package var album: String?
    package var durationMs: Int?
    package var isrc: String?
    package var isExplicit: Bool?
    package var pictures: [Picture]
    /// The address of a preview that the service gave.
    package var preview: String?
    package var spotifyID: String?
    package var appleID: String?
    /// The country whose catalog has the Apple Music id, two letters in lower case.
    package var appleCountry: String?

    /// An address of a picture.
    package struct Picture: Sendable, Equatable, Codable {
        package var address: String
        /// In pixels.
        package var width: Int?

        package init(address: String, width: Int?) { (self.address, self.width) = (address, width) }
    }

    package init(
        title: String, artists: [String], album: String?, durationMs: Int?, isrc: String?, isExplicit: Bool?,
        pictures: [Picture], preview: String?, spotifyID: String?, appleID: String?, appleCountry: String?
    ) {
        (self.title, self.artists, self.album, self.durationMs) = (title, artists, album, durationMs)
        (self.isrc, self.isExplicit, self.pictures, self.preview) = (isrc, isExplicit, pictures, preview)
        (self.spotifyID, self.appleID, self.appleCountry) = (spotifyID, appleID, appleCountry)
    }
}

/// What a person sends.
package struct MessageDraft: Sendable, Equatable {
    /// A UUID that the person's client has made, in lower case.
    package let clientID: String
    /// `nil` for none.
    package let text: String?
    /// What names the song in the request, equal for equal songs only; empty for none.
    package let songParts: [String]

    /// The most Unicode scalars of a text.
    package static let longestText = 2_000

    /// - Parameter text: cleaned of what nobody sees, and of what changes the direction of the text around it.
    /// - Returns: `nil` with neither a text nor a song.
    package init?(clientID: String, text: String?, songParts: [String]) {
        (self.clientID, self.songParts) = (clientID, songParts)
        let cleaned = text?.replacing("\r\n", with: "\n").withoutControls.withoutHidden
            .trimmingCharacters(in: .whitespacesAndNewlines)
        self.text = cleaned.flatMap { $0.isEmpty ? nil : $0 }
        guard self.text != nil || !songParts.isEmpty else { return nil }
    }

    /// Equal for equal bodies only.
    var canonical: String {
        get throws { try JSONColumn.encode([text ?? ""] + songParts) }
    }
}
