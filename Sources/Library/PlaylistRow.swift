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
    /// When the service refused the entries last; `nil` unless they are ``Entries/forbidden``.
    var refusedAt: Timestamp?
    /// The service's version of the entries that are shown.
    var upstreamVersion: String?
    /// Whether the entries have to be read.
    var isDue: Bool
    /// The service's version of the entries to read.
    var dueVersion: String?
    /// How often its entries were changed here.
    var edits: Int64 = 0
    /// The number of entries that the service's list of playlists reports; `nil` where it reports none.
    var listedCount: Int?
    /// ``listedCount`` when the entries were last read.
    var readCount: Int?
    /// When the entries were last read; `nil` before.
    var readAt: Timestamp?

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
        listedCount = playlist.entryCount
    }

    init(
        id: Int64, accountID: Int64, missingSince: Timestamp?, playlist: SourcePlaylist, entryCount: Int,
        entriesVersion: Int64, entries: Entries, refusedAt: Timestamp?, upstreamVersion: String?, isDue: Bool,
        dueVersion: String?, edits: Int64 = 0, listedCount: Int? = nil, readCount: Int? = nil, readAt: Timestamp? = nil
    ) {
        (self.id, self.accountID, self.missingSince) = (id, accountID, missingSince)
        (self.playlist, self.entryCount, self.entriesVersion) = (playlist, entryCount, entriesVersion)
        (self.entries, self.refusedAt, self.upstreamVersion) = (entries, refusedAt, upstreamVersion)
        (self.isDue, self.dueVersion, self.edits) = (isDue, dueVersion, edits)
        (self.listedCount, self.readCount, self.readAt) = (listedCount, readCount, readAt)
    }

    /// The row after a page of playlists had it.
    ///
    /// - Parameters:
    ///   - accounts: those that are known. The entries of another's playlist are read again, since its source tracks
    ///     are removed.
    ///   - owners: the service's ids of the account. Refused entries of an own playlist are asked for by the next sync.
    ///   - interval: how long after they were read, or refused, entries are asked for again.
    func listed(
        as newer: SourcePlaylist, account: Int64, accounts: Set<Int64>, owners: Set<String>,
        askingAgainAfter interval: Duration, now: Timestamp
    ) -> PlaylistRow {
        var row = self
        row.accountID = account
        row.missingSince = nil
        row.playlist = playlist.updated(to: newer)
        if entries != .read, let count = newer.entryCount { row.entryCount = count }
        row.listedCount = newer.entryCount
        row.isDue =
            !accounts.contains(accountID) || entries == .none || newer.version == nil
            || newer.version != upstreamVersion || row.mayBeAllowed(since: self, owners: owners, after: interval, now: now)
            || row.isOutdated(after: interval, now: now)
        row.dueVersion = row.isDue ? newer.version : nil
        return row
    }

    /// Whether the entries may be others than those that were read, though the version is the same: the service reports
    /// another number of them, or they were not read for long. So no mistake stays. A time in the future does not
    /// count: the clock was ahead when it was stored.
    private func isOutdated(after interval: Duration, now: Timestamp) -> Bool {
        guard entries == .read else { return false }
        // No number is known of what an earlier release has read.
        if let listedCount, let readCount, listedCount != readCount { return true }
        return readAt.map { !(.zero..<interval).contains($0.duration(to: now)) } ?? true
    }

    /// Whether the service may give the entries that it refused before. Access does not change a playlist's version: a
    /// person becomes its collaborator, or the app may read more. A time in the future does not count: the clock was
    /// ahead when it was stored.
    private func mayBeAllowed(
        since before: PlaylistRow, owners: Set<String>, after interval: Duration, now: Timestamp
    ) -> Bool {
        guard entries == .forbidden else { return false }
        // Asking again was due already, and the sync has not come to it.
        if before.isDue { return true }
        // No service keeps entries from their owner: the refusal was of the moment.
        if playlist.canEdit == true || playlist.ownerID.map(owners.contains) == true { return true }
        let (new, former) = (playlist, before.playlist)
        if (new.ownerID, new.isCollaborative) != (former.ownerID, former.isCollaborative) { return true }
        return refusedAt.map { !(.zero..<interval).contains($0.duration(to: now)) } ?? true
    }

    var toRead: PlaylistToRead {
        PlaylistToRead(id: id, sourceID: playlist.sourceID, upstreamVersion: dueVersion, edits: edits)
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
        playlist.canEdit = newer.canEdit ?? canEdit
        playlist.artworkURL = newer.artworkURL ?? artworkURL
        playlist.addedAt = newer.addedAt ?? addedAt
        return playlist
    }

    /// The playlist with the name and description of another, which an edit has given it.
    func named(as other: SourcePlaylist) -> SourcePlaylist {
        var playlist = self
        (playlist.name, playlist.description) = (other.name, other.description)
        return playlist
    }

    /// Whether values differ that people know a playlist by.
    func differsNoticeably(from other: SourcePlaylist) -> Bool {
        (name, description ?? "", ownerName) != (other.name, other.description ?? "", other.ownerName)
            || (isPublic, isCollaborative) != (other.isPublic, other.isCollaborative)
    }
}
