import Foundation

/// What a connection to Spotify knows besides its columns.
struct SpotifyDetails: Codable, Equatable {
    /// The country whose catalog the account sees.
    var country: String

    /// JSON.
    var storage: String { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}" }
}

extension ConnectionRecord {
    /// The country whose catalog the account at Spotify sees, such as `CZ`; `nil` where Spotify does not tell.
    package var spotifyCountry: String? {
        details.flatMap { try? JSONDecoder().decode(SpotifyDetails.self, from: Data($0.utf8)).country }
    }

    /// Names the consent or key that calls are made with. Another account, and the same account after connecting again,
    /// has another. Empty while there is none.
    package var consentMark: String { authorizedAt.map { String($0.microseconds) } ?? "" }
}
