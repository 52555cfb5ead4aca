import Model

/// A row of `library_playlists`.
package struct PlaylistRow: Sendable, Hashable {
    /// Whether a playlist's entries have been read.
    package enum Entries: String, Sendable {
        /// The entries were never read.
        case none
        case read
        /// The service refuses the user access to the entries.
        case forbidden
    }

    let id: Int64
    var accountID: Int64
    var missingSince: Timestamp?
    /// The playlist without its entry count and version, which are in the fields below.
    var playlist: SourcePlaylist
    var entryCount: Int
    package var entriesVersion: Int64
    package var entries: Entries
    /// When the service last refused the entries; `nil` unless ``entries`` is ``Entries/forbidden``.
    var refusedAt: Timestamp?
    /// The service's version of the entries that are currently shown.
    var upstreamVersion: String?
    /// Whether the entries have to be read.
    package var isDue: Bool
    /// The service's version of the entries to read.
    var dueVersion: String?
    /// How many times the entries were edited in Backline.
    var edits: Int64 = 0
    /// The number of entries according to the service's list of playlists; `nil` if it does not report one.
    var listedCount: Int?
    /// The value of ``listedCount`` when the entries were last read.
    var readCount: Int?
    /// When the entries were last read; `nil` if never.
    package var readAt: Timestamp?

    /// Creates the row of a playlist that is new to the library.
    package init(id: Int64, _ playlist: SourcePlaylist, account: Int64) {
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

    /// The row after the playlist appeared on a page of the service's list.
    ///
    /// - Parameters:
    ///   - accounts: the known accounts. The entries are read again if the playlist belonged to an account that is not
    ///     among them, since that account's source tracks are deleted.
    ///   - owners: the account's ids at the service. If entries of the user's own playlist were refused, the next sync
    ///     asks for them again.
    ///   - interval: how long after the entries were read or refused they are requested again.
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
            || newer.version != upstreamVersion
            || row.mayBeAllowed(since: self, owners: owners, after: interval, now: now)
            || row.isOutdated(after: interval, now: now)
        row.dueVersion = row.isDue ? newer.version : nil
        return row
    }

    /// Whether the entries may differ from those that were read although the version is the same: the service reports a
    /// different number of entries, or the last scan is long ago. This way, no error persists. A time in the future
    /// is treated as long ago: the clock was ahead when it was stored.
    private func isOutdated(after interval: Duration, now: Timestamp) -> Bool {
        guard entries == .read else { return false }
        // A service may report no count.
        if let listedCount, let readCount, listedCount != readCount { return true }
        return readAt.map { !(.zero..<interval).contains($0.duration(to: now)) } ?? true
    }

    /// Whether the service may now return entries that it refused before. A change of access does not change a
    /// playlist's version: the user may become a collaborator, or the app may gain permissions. A time in the future is
    /// treated as long ago: the clock was ahead when it was stored.
    private func mayBeAllowed(
        since before: PlaylistRow, owners: Set<String>, after interval: Duration, now: Timestamp
    ) -> Bool {
        guard entries == .forbidden else { return false }
        // The entries were already due to be requested again, but the sync did not get to them.
        if before.isDue { return true }
        // No service withholds entries from their owner, so the refusal was temporary.
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
    /// The playlist without the fields that concern its entries.
    fileprivate var described: SourcePlaylist {
        var playlist = self
        playlist.entryCount = nil
        playlist.version = nil
        return playlist
    }

    /// The newer values, with the earlier ones for fields that the service left out. A missing description replaces the
    /// earlier one, since a description can be deleted.
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

    /// The playlist with the name and description of another version, which an edit has set.
    func named(as other: SourcePlaylist) -> SourcePlaylist {
        var playlist = self
        (playlist.name, playlist.description) = (other.name, other.description)
        return playlist
    }

    /// Whether any value differs by which people recognize a playlist.
    func differsNoticeably(from other: SourcePlaylist) -> Bool {
        (name, description ?? "", ownerName) != (other.name, other.description ?? "", other.ownerName)
            || (isPublic, isCollaborative) != (other.isPublic, other.isCollaborative)
    }
}
