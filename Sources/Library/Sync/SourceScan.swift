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
}

/// The lists that a sync reads from each source, in this order, since playlists refer to tracks.
package enum SourceList: String, Sendable, Codable, CaseIterable {
    case tracks
    case playlists
    case albums

    /// The name of the list's items in the change log and in the table of sightings.
    var item: String {
        switch self {
        case .tracks: "track"
        case .playlists: "playlist"
        case .albums: "album"
        }
    }
}

/// The effect of a page, or of several pages together, on a library.
package struct PageEffect: Sendable, Hashable, Codable {
    /// The number of items on the page.
    package var found = 0
    /// The number of items that are new to the library.
    package var added = 0
    /// The number of items whose values changed, including those that returned.
    package var changed = 0
    /// The number of tracks that were merged into others, and of new items that were added to a track with different
    /// names.
    package var joined = 0

    package init(found: Int = 0, added: Int = 0, changed: Int = 0, joined: Int = 0) {
        self.found = found
        self.added = added
        self.changed = changed
        self.joined = joined
    }

    package static func + (left: PageEffect, right: PageEffect) -> PageEffect {
        PageEffect(
            found: left.found + right.found, added: left.added + right.added, changed: left.changed + right.changed,
            joined: left.joined + right.joined)
    }
}
