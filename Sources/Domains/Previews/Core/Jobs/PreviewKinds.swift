import Contracts
import Model

extension TypedJobKind where Payload == PreviewQuestion, Result == PreviewFindResult {
    /// Looks for the preview of a song at iTunes.
    package static var previewsFind: Self {
        Self(
            JobKind(
                name: "previews.find", version: 1, submitter: .system, maximumRunTime: .seconds(60),
                maximumAttempts: 1, isEphemeral: true, maximumRunningPerUser: 4))
    }
}

/// A song whose preview is wanted: the payload of `previews.find`, version 1.
package struct PreviewQuestion: Codable, Sendable, Equatable {
    package var title: String
    /// Several artists are joined as services write them: `A & B`.
    package var artist: String
    package var durationMs: Int?
    /// An id of Apple's catalog, in the store of `country`.
    package var appleMusicID: String?
    /// Two lowercase letters (ISO 3166).
    package var country: String?

    package init(
        title: String, artist: String, durationMs: Int? = nil, appleMusicID: String? = nil, country: String? = nil
    ) {
        self.title = title
        self.artist = artist
        self.durationMs = durationMs
        self.appleMusicID = appleMusicID
        self.country = country
    }
}

/// The result of `previews.find`.
package struct PreviewFindResult: Codable, Sendable, Equatable {
    /// `nil` when there is no preview, or the answer is not known.
    package var url: String?
    /// Whether iTunes was asked and has answered.
    package var isKnown: Bool
    /// The number of seconds after which it makes sense to ask again, if the answer is not known.
    package var retryAfter: Int?

    package init(url: String?) {
        self.url = url
        isKnown = true
    }

    package init(retryAfter: Int?) {
        self.retryAfter = retryAfter
        isKnown = false
    }
}
