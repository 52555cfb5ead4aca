import Model

extension JobKind {
    static let previews = [TypedJobKind.previewsFind.kind]
}

extension TypedJobKind where Payload == PreviewQuestion, Result == PreviewFindResult {
    /// Looks for the preview of a song at iTunes.
    package static var previewsFind: Self {
        Self(
            JobKind(
                name: "previews.find", version: 1, submitter: .system, maximumRunTime: .seconds(60),
                maximumAttempts: 1, isEphemeral: true, maximumRunningPerUser: 4))
    }
}

/// A song whose preview is looked for: the payload of `previews.find`, version 1.
package struct PreviewQuestion: Codable, Sendable, Equatable {
    package var title: String
    /// As services write several artists: `A & B`.
    package var artist: String
    package var durationMs: Int?
    /// An id of Apple's catalogue, in the shop of `country`.
    package var appleMusicID: String?
    /// Two letters in lower case (ISO 3166).
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
    /// `nil` when there is none, or it is not known.
    package var url: String?
    /// Whether iTunes was asked, and has answered.
    package var isKnown: Bool
    /// Seconds after which asking again makes sense, if the answer is not known.
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
