import Contracts
import Model

extension TypedJobKind where Payload == LibrarySyncPayload, Result == LibrarySyncResult {
    /// Reads a person's libraries at the services and merges them into one.
    ///
    /// It needs no connection itself: a source that is not connected ends with its own error, and the others are read
    /// regardless. So it names the scopes only for connecting (``SpotifyScopes/library``).
    package static var librarySync: Self {
        Self(
            JobKind(
                name: "library.sync", version: 1, submitter: .system,
                // The time from one page to the next: long enough to wait for a permit after other people's calls.
                maximumRunTime: .seconds(900), maximumRunningPerUser: 1))
    }
}

/// The payload of `library.sync`, version 1. Schedules submit `{}`.
package struct LibrarySyncPayload: Codable, Sendable, Equatable {
    /// The only source to read; `nil` for all that are connected.
    package var source: MusicSource?
    /// Whether sources that were read recently are also read.
    package var force: Bool?

    package init(source: MusicSource? = nil, force: Bool? = nil) {
        self.source = source
        self.force = force
    }
}

/// The result of `library.sync`.
package struct LibrarySyncResult: Codable, Sendable, Equatable {
    /// `complete`, `partial` or `failed`.
    package var state: String
    /// How many tracks were merged into others.
    package var merged: Int

    package init(state: String, merged: Int) {
        self.state = state
        self.merged = merged
    }
}
