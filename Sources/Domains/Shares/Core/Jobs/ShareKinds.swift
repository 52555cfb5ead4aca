import Contracts
import Model

extension TypedJobKind where Payload == ShareMatchPayload, Result == ShareMatchResult {
    /// Finds a shared song in a service's catalog, once for everybody. It belongs to the system, and uses the
    /// connection of the person who opened the share.
    package static var sharesMatch: Self {
        Self(
            JobKind(
                name: "shares.match", version: 1, submitter: .system, maximumRunTime: .seconds(120),
                maximumAttempts: 3, retention: .seconds(3_600)))
    }
}

/// The payload of `shares.match`, version 1.
package struct ShareMatchPayload: Codable, Sendable, Equatable {
    /// The key of the song's content.
    package var content: Int64
    package var source: MusicSource
    /// The country of Apple Music's catalog; empty for Spotify.
    package var country: String

    package init(content: Int64, source: MusicSource, country: String) {
        (self.content, self.source, self.country) = (content, source, country)
    }
}

/// The result of `shares.match`. What was found is in the database.
package struct ShareMatchResult: Codable, Sendable, Equatable {
    /// Whether the catalog was searched. Otherwise the song is no longer shared, or the person's connection cannot be
    /// used, and the next person who opens the share has it searched for.
    package var isAnswered: Bool

    package init(isAnswered: Bool) { self.isAnswered = isAnswered }
}
