import Contracts
import Model

extension TypedJobKind where Payload == PictureFetchPayload, Result == PictureFetchResult {
    /// Fetches pictures that a page shows into the picture folder.
    package static var picturesFetch: Self {
        Self(
            JobKind(
                name: "pictures.fetch", version: 1, submitter: .system, maximumRunTime: .seconds(60),
                maximumAttempts: 1, isEphemeral: true, maximumRunningPerUser: 4))
    }
}

/// The payload of `pictures.fetch`, version 1.
package struct PictureFetchPayload: Codable, Sendable, Equatable {
    package struct Item: Codable, Sendable, Equatable, Hashable {
        package var address: String
        /// Whether the requesting browser can show WebP.
        package var acceptsWebP: Bool

        package init(address: String, acceptsWebP: Bool) {
            self.address = address
            self.acceptsWebP = acceptsWebP
        }
    }

    package var pictures: [Item]

    package init(pictures: [Item]) {
        self.pictures = pictures
    }
}

/// The result of `pictures.fetch`. The pictures are in the folder.
package struct PictureFetchResult: Codable, Sendable, Equatable {
    package var fetched: Int
    /// How many cannot be shown.
    package var refused: Int

    package init(fetched: Int, refused: Int) {
        self.fetched = fetched
        self.refused = refused
    }
}
