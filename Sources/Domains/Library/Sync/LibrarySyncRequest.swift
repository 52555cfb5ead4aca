import Contracts
import Model

/// A request to sync a user's libraries.
package struct LibrarySyncRequest: Sendable, Hashable {
    package var userID: String
    /// The only source to read, which is never skipped; `nil` for all connected sources.
    package var source: MusicSource?
    /// Whether sources that finished within ``freshness`` are read as well.
    package var force: Bool
    /// Whether only a sync that has not begun to read the source satisfies the request, because its contents have
    /// changed: the source was connected, or its account is now known.
    package var isRestart: Bool

    /// A source that finished within this time is skipped, unless it was requested by name or the request is forced.
    package static let freshness = Duration.seconds(300)

    package init(userID: String, source: MusicSource? = nil, force: Bool = false, isRestart: Bool = false) {
        self.userID = userID
        self.source = source
        self.force = force
        self.isRestart = isRestart
    }

    package var payload: LibrarySyncPayload { LibrarySyncPayload(source: source, force: force) }

    /// The requested sources.
    var sources: [MusicSource] { source.map { [$0] } ?? MusicSource.services }
}

/// The answer to a request for a sync.
package enum LibrarySyncDecision: Sendable, Equatable {
    /// A running or waiting sync already does what was requested.
    case joins(id: String, state: String)
    /// The caller submits a `library.sync` job with the payload, and inserts the sync with the job's id in the same
    /// transaction (`SyncStore.insert(sync:for:now:)`).
    case submits(NewLibrarySync)
}

/// A sync to submit.
package struct NewLibrarySync: Sendable, Equatable {
    package var payload: LibrarySyncPayload

    package init(payload: LibrarySyncPayload) {
        self.payload = payload
    }
}

/// A sync as it is shown to people.
package struct LibrarySyncView: Sendable, Equatable {
    package struct SourceView: Sendable, Equatable {
        package var source: MusicSource
        /// `waiting`, `running`, `complete`, `skipped` or `failed`.
        package var state: String
        /// `tracks`, `playlists` or `albums`; `nil` before the first phase.
        package var phase: String?
        /// The number of list items seen in all phases, out of the ``total`` expected so far.
        package var found: Int
        package var new: Int
        package var changed: Int
        package var total: Int?
        /// Why the source failed, is waiting, or has nothing to read although it is complete; `nil` once the user has
        /// dismissed it.
        package var errorCode: String?
        package var errorMessage: String?
        /// Whether the user has to say whose library it is (`LibraryStore.answerAccount(of:isSame:userID:now:)`).
        package var asksForAccount = false
        /// Whether the user has dismissed that question. It can still be answered.
        package var isQuestionDismissed = false

        /// The error to show, including the question about the account until it is dismissed.
        package var shownError: (code: String, message: String)? {
            if let errorCode { return (errorCode, errorMessage ?? "") }
            guard asksForAccount, !isQuestionDismissed else { return nil }
            return (
                "accountUnclear",
                "Fewer than half of the known songs are in this \(source.displayName) library, whose account is "
                    + "unknown. Say whether it is the same account; until then, nothing is marked as missing."
            )
        }
    }

    package var id: String
    /// `queued`, `running`, `complete`, `partial` or `failed`.
    package var state: String
    package var sources: [SourceView]
    /// The number of tracks that were merged into others.
    package var merged: Int
    package var askedAt: Timestamp
    package var finishedAt: Timestamp?
    /// The change number of the latest update.
    package var change: Int64
}
