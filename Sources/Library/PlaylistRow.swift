import Model

/// A row of `library_playlists`.
struct PlaylistRow: Sendable, Hashable {
    /// What is known of a playlist's entries.
    enum Entries: String, Sendable {
        /// They were never read.
        case none
        case read
        /// The service refuses them to the person.
        case forbidden
    }

    let id: Int64
    var accountID: Int64
    var missingSince: Timestamp?
    /// Without the number of entries and their version, which the fields below have.
    var playlist: SourcePlaylist
    var entryCount: Int
    var entriesVersion: Int64
    var entries: Entries
    /// The service's version of the entries that are shown.
    var upstreamVersion: String?
    /// Whether the entries have to be read.
    var isDue: Bool
    /// The service's version of the entries to read.
    var dueVersion: String?

    /// A playlist that the library did not have.
    init(id: Int64, _ playlist: SourcePlaylist, account: Int64) {
        self.id = id
        accountID = account
        self.playlist = playlist.described
        entryCount = playlist.entryCount ?? 0
        entriesVersion = 0
        entries = .none
        isDue = true
        dueVersion = playlist.version
    }

    init(
        id: Int64, accountID: Int64, missingSince: Timestamp?, playlist: SourcePlaylist, entryCount: Int,
        entriesVersion: Int64, entries: Entries, upstreamVersion: String?, isDue: Bool, dueVersion: String?
    ) {
        (self.id, self.accountID, self.missingSince) = (id, accountID, missingSince)
        (self.playlist, self.entryCount, self.entriesVersion) = (playlist, entryCount, entriesVersion)
        (self.entries, self.upstreamVersion) = (entries, upstreamVersion)
        (self.isDue, self.dueVersion) = (isDue, dueVersion)
    }

    /// The row after a page of playlists had it.
    ///
    /// - Parameter accounts: those that are known. The entries of another's playlist are read again, since its source
    ///   tracks are removed.
    func listed(as newer: SourcePlaylist, account: Int64, accounts: Set<Int64>) -> PlaylistRow {
        var row = self
        row.accountID = account
        row.missingSince = nil
        row.playlist = playlist.updated(to: newer)
        if entries != .read, let count = newer.entryCount { row.entryCount = count }
        row.isDue =
            !accounts.contains(accountID) || entries == .none || newer.version == nil
            || newer.version != upstreamVersion
        row.dueVersion = row.isDue ? newer.version : nil
        return row
    }

    var toRead: PlaylistToRead {
        PlaylistToRead(id: id, sourceID: playlist.sourceID, upstreamVersion: dueVersion)
    }
}

extension SourcePlaylist {
    /// The playlist without what is about its entries.
    fileprivate var described: SourcePlaylist {
        var playlist = self
        playlist.entryCount = nil
        playlist.version = nil
        return playlist
    }

    /// Newer values, and the earlier ones of fields that the service left out. A description can be deleted.
    fileprivate func updated(to newer: SourcePlaylist) -> SourcePlaylist {
        var playlist = newer.described
        playlist.ownerID = newer.ownerID ?? ownerID
        playlist.ownerName = newer.ownerName ?? ownerName
        playlist.isPublic = newer.isPublic ?? isPublic
        playlist.isCollaborative = newer.isCollaborative ?? isCollaborative
        playlist.artworkURL = newer.artworkURL ?? artworkURL
        playlist.addedAt = newer.addedAt ?? addedAt
        return playlist
    }

    /// Whether values differ that people know a playlist by.
    func differsNoticeably(from other: SourcePlaylist) -> Bool {
        (name, description ?? "", ownerName) != (other.name, other.description ?? "", other.ownerName)
            || (isPublic, isCollaborative) != (other.isPublic, other.isCollaborative)
    }
}
