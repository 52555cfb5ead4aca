import Identity
import Library
import LibraryWriting
import Model
import Storage

/// What is known about entries before a catalog is searched.
struct KnownCopyEntries: Sendable {
    /// The entries. Those that were resolved by a choice or by the library are no longer pending.
    var entries: [CopyEntry]
    /// The songs' identity records, by the key of the source track.
    var records: [Int64: IdentityRecord]
    var remastersAreSame: Bool
}

extension CopyStore {
    /// Resolves entries by what the user has chosen before, and by the songs that the library has at the other service.
    ///
    /// - Throws: ``EditRefusal`` if the other service was disconnected.
    func known(_ entries: [CopyEntry], of copy: LibraryCopy) throws -> KnownCopyEntries {
        guard let scan = try transaction.library.lastScan(of: copy.target, userID: copy.userID) else {
            throw EditRefusal.sourceNotRead(copy.target)
        }
        let songs = try songs(of: entries, library: scan.libraryID)
        let parts = try transaction.tracks.parts(
            ofTracks: Array(Set(songs.values.map(\.trackID))), library: scan.libraryID)
        let known = try entries.map { entry -> CopyEntry in
            var entry = entry
            guard let song = entry.sourceTrack.flatMap({ songs[$0] }) else {
                if entry.sourceTrack == nil {
                    entry.state = .missing
                    entry.tried = ["The entry is not a song of the service, so nothing was searched."]
                }
                return entry
            }
            let choice = try choice(for: song, in: copy.target, userID: copy.userID)
            if choice.isChosen {
                entry.reference = choice.reference
                entry.state = choice.reference == nil ? .leftOut : .found
                entry.tried = ["your choice"]
                return entry
            }
            let isThere = (parts[song.trackID] ?? []).contains { part in
                part.source == copy.target && part.accountID == scan.accountID && part.missingSince == nil
                    && (copy.target == .spotify || part.isSaved || part.track.catalogID != nil)
            }
            if isThere {
                entry.reference = LibraryID(key: song.trackID).text
                entry.state = .found
                entry.tried = ["library"]
            }
            return entry
        }
        return KnownCopyEntries(
            entries: known, records: songs.mapValues(\.record),
            remastersAreSame: try transaction.trackIdentity.remastersAreSame(userID: copy.userID))
    }
}
