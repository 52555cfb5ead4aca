import Contracts
import Model

extension TypedJobKind where Payload == CatalogSearchPayload, Result == CatalogResult {
    /// Searches a service's catalog, for everybody who waits for the same search. It belongs to the system, and uses
    /// the connection of the person it serves.
    package static var catalogSearch: Self {
        Self(
            JobKind(
                name: "catalog.search", version: 1, submitter: .system, maximumRunTime: .seconds(30),
                isEphemeral: true))
    }
}

extension TypedJobKind where Payload == CatalogTopPayload, Result == CatalogResult {
    /// Reads what a person listens to most.
    package static var catalogTop: Self {
        Self(
            JobKind(
                name: "catalog.top", version: 1, submitter: .system, maximumRunTime: .seconds(30),
                needs: [JobKind.Need(.spotify, scopes: [SpotifyScopes.top])], isEphemeral: true))
    }
}

extension TypedJobKind where Payload == CatalogItemPayload, Result == CatalogResult {
    /// Reads one item of a service's catalog. Like ``catalogSearch``, it belongs to the system; if the answer is for
    /// one person only, such as that for a playlist, it belongs to the person who asks.
    package static var catalogItem: Self {
        Self(
            JobKind(
                name: "catalog.item", version: 1, submitter: .system, maximumRunTime: .seconds(30),
                isEphemeral: true))
    }
}

/// The payload of `catalog.search`, version 1.
package struct CatalogSearchPayload: Codable, Sendable, Equatable {
    package var source: MusicSource
    /// As the first person who asked wrote it.
    package var text: String
    /// At least one.
    package var types: [CatalogType]
    /// The country whose catalog is searched; empty if it is unknown.
    package var market: String
    package var offset: Int

    package init(source: MusicSource, text: String, types: [CatalogType], market: String, offset: Int) {
        self.source = source
        self.text = text
        self.types = types
        self.market = market
        self.offset = offset
    }
}

/// The payload of `catalog.top`, version 1.
package struct CatalogTopPayload: Codable, Sendable, Hashable {
    package enum List: String, Codable, Sendable {
        case artists, tracks
    }

    package var list: List
    package var range: TopRange

    package init(list: List, range: TopRange) {
        self.list = list
        self.range = range
    }
}

/// The payload of `catalog.item`, version 1.
package struct CatalogItemPayload: Codable, Sendable, Hashable {
    package var source: MusicSource
    package var type: CatalogType
    package var id: String
    /// The country whose catalog is read; empty if it is unknown.
    package var market: String
    /// Where the page of the item's tracks or albums begins.
    package var offset: Int

    package init(source: MusicSource, type: CatalogType, id: String, market: String, offset: Int) {
        self.source = source
        self.type = type
        self.id = id
        self.market = market
        self.offset = offset
    }
}

/// The result of the `catalog.…` jobs. The answer itself is in the database.
package struct CatalogResult: Codable, Sendable, Equatable {
    /// Why there is no answer.
    package struct Trouble: Codable, Sendable, Equatable {
        /// A problem code of the API.
        package var code: String
        /// A text for people that says what happened and what to do.
        package var detail: String
        /// A `Recovery`'s raw value.
        package var recovery: String
        /// The number of seconds after which it makes sense to try again.
        package var retryAfter: Int?

        package init(code: String, detail: String, recovery: String, retryAfter: Int? = nil) {
            self.code = code
            self.detail = detail
            self.recovery = recovery
            self.retryAfter = retryAfter
        }
    }

    /// `nil` when the answer is stored.
    package var trouble: Trouble?

    package init(trouble: Trouble? = nil) {
        self.trouble = trouble
    }

    package static let stored = CatalogResult()
}
