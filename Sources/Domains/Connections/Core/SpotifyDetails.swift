import Foundation

/// Facts about a connection to Spotify that have no column.
struct SpotifyDetails: Codable, Equatable {
    /// The country whose catalog the account sees.
    var country: String

    /// The details as JSON.
    var storage: String { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}" }
}

extension ConnectionRecord {
    /// The country whose catalog the Spotify account sees, such as `CZ`; `nil` if Spotify does not report it.
    package var spotifyCountry: String? {
        details.flatMap { try? JSONDecoder().decode(SpotifyDetails.self, from: Data($0.utf8)).country }
    }

    /// Identifies the consent or key that calls are made with. It changes with the account, and when the same account
    /// is connected again. Empty while there is none.
    package var consentMark: String { authorizedAt.map { String($0.microseconds) } ?? "" }
}
