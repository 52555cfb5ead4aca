import Contracts
import Model

/// A request for a sync of a person's libraries.
package struct LibrarySyncRequest: Sendable, Hashable {
    package var userID: String
    /// The only source to read, which always runs; `nil` for all that are connected.
    package var source: MusicSource?
    /// Whether sources that finished within ``freshness`` are read, too.
    package var force: Bool
    /// Whether only a sync counts that has not begun to read the source, because what it finds there has changed: the
    /// source was connected, or its account is known now.
    package var isAnew: Bool

    /// A source that finished within this time is skipped, unless it was asked for by name or the request is forced.
    package static let freshness = Duration.seconds(300)

    package init(userID: String, source: MusicSource? = nil, force: Bool = false, isAnew: Bool = false) {
        self.userID = userID
        self.source = source
        self.force = force
        self.isAnew = isAnew
    }

    package var payload: LibrarySyncPayload { LibrarySyncPayload(source: source, force: force) }

    /// The sources asked for.
    var sources: [MusicSource] { source.map { [$0] } ?? MusicSource.services }
}

/// The answer to a request for a sync.
package enum LibrarySyncDecision: Sendable, Equatable {
    /// A sync that runs or waits does what was asked for.
    case joins(id: String, state: String)
    /// The caller submits a job `library.sync` with the payload, and inserts the sync with the job's id, in the same
    /// transaction (`LibraryStore.insert(sync:for:now:)`).
    case submits(NewLibrarySync)
}

/// A sync to submit.
package struct NewLibrarySync: Sendable, Equatable {
    package var payload: LibrarySyncPayload

    package init(payload: LibrarySyncPayload) {
        self.payload = payload
    }
}

/// A sync as people see it.
package struct LibrarySyncView: Sendable, Equatable {
    package struct SourceView: Sendable, Equatable {
        package var source: MusicSource
        /// `waiting`, `running`, `complete`, `skipped` or `failed`.
        package var state: String
        /// `tracks`, `playlists` or `albums`; `nil` before the first.
        package var phase: String?
        /// Items of the lists that were seen, over all phases; ``total`` of them are expected so far.
        package var found: Int
        package var new: Int
        package var changed: Int
        package var total: Int?
        /// Why it failed, waits, or has nothing to read though it is complete, until the person dismisses it.
        package var errorCode: String?
        package var errorMessage: String?
        /// Whether the person has to say whose library it is (`LibraryStore.answerAccount(of:isSame:userID:now:)`).
        package var asksForAccount = false
        /// Whether the person has dismissed that question. It can be answered all the same.
        package var isQuestionDismissed = false

        /// The error to show; the question for the account is one, too, until it is dismissed.
        package var shownError: (code: String, message: String)? {
            if let errorCode { return (errorCode, errorMessage ?? "") }
            guard asksForAccount, !isQuestionDismissed else { return nil }
            return (
                "accountUnclear",
                "Under half of the known songs are in this \(source.displayName) library, which names no account. Say "
                    + "whether it is the same account; until then, nothing is marked as missing."
            )
        }
    }

    package var id: String
    /// `queued`, `running`, `complete`, `partial` or `failed`.
    package var state: String
    package var sources: [SourceView]
    /// Tracks that were merged into others.
    package var merged: Int
    package var askedAt: Timestamp
    package var finishedAt: Timestamp?
    /// The number in the change sequence.
    package var change: Int64
}
