import Model

/// The reading of one source's library that writes rows: whose, by which sync, and of which account.
package struct SourceReading: Sendable, Hashable {
    package var userID: String
    /// The key of the person's library.
    package var libraryID: Int64
    /// The number of the sync, which its changes name.
    package var sync: Int64
    package var source: MusicSource
    /// The key of the account at the source (`library_accounts`).
    package var accountID: Int64
    /// Whether a list is read a second time, because the first reading did not see everything.
    package var isSecond = false
    /// The account's ids at the source, by which playlists name their owner.
    package var ownerIDs: Set<String> = []

    package init(userID: String, libraryID: Int64, sync: Int64, source: MusicSource, accountID: Int64) {
        self.userID = userID
        self.libraryID = libraryID
        self.sync = sync
        self.source = source
        self.accountID = accountID
    }
}

/// The lists that a sync reads of each source, in this order: playlists refer to tracks.
package enum SourceList: String, Sendable, Codable, CaseIterable {
    case tracks
    case playlists
    case albums

    /// The name of one of its items in the change log and among sightings.
    var item: String {
        switch self {
        case .tracks: "track"
        case .playlists: "playlist"
        case .albums: "album"
        }
    }
}

/// What a page, or several together, did to a library.
package struct PageEffect: Sendable, Hashable, Codable {
    /// Items of the page.
    package var found = 0
    /// Items that the library did not have.
    package var added = 0
    /// Items whose values differ from before, those that returned included.
    package var changed = 0
    /// Tracks that became part of others, and new items that became part of a track with other names.
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
