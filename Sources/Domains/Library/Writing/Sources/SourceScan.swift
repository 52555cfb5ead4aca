import Model

/// One scan of a source's library that writes rows: it identifies the user, the sync and the account.
package struct SourceScan: Sendable, Hashable {
    package var userID: String
    /// The key of the user's library.
    package var libraryID: Int64
    /// The number of the sync, which the change log refers to.
    package var sync: Int64
    package var source: MusicSource
    /// The key of the account at the source (`library_accounts`).
    package var accountID: Int64
    /// Whether this is the second scan of a list, because the first one was incomplete.
    package var isSecond = false
    /// The account's ids at the source, which identify the owner of a playlist.
    package var ownerIDs: Set<String> = []

    package init(userID: String, libraryID: Int64, sync: Int64, source: MusicSource, accountID: Int64) {
        self.userID = userID
        self.libraryID = libraryID
        self.sync = sync
        self.source = source
        self.accountID = accountID
    }

    /// How long a page that was fetched, and is stored until a run writes it, is still considered to represent the list.
    package static let pageLifetime = Duration.seconds(600)
}
