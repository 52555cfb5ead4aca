import Model
import Storage

/// What an edit of a copy was to write when the service refused it.
struct RefusedWriting: Sendable {
    /// The edit that was refused.
    var edit: LibraryEdit
    /// Its entries that are not written.
    var entries: [CopyEntry]
    /// Entries of edits that failed with it.
    var later: [CopyEntry]
    /// How many songs of the copy the service has refused before.
    var formerCount: Int
}

/// Songs of a copy that cannot be written: they are listed as not found, and the others are written.
extension CopyRun {
    /// With more songs that are refused, it is not the songs.
    private static let mostRefused = 20

    /// Has the entries of an edit that was refused written by smaller ones, until the song that is refused is alone.
    ///
    /// A service that refuses a song refuses all that are written with it, and does not say which it is.
    ///
    /// - Throws: ``EditError`` where the songs cannot be the reason.
    func takeBack(_ refused: RefusedWriting, of copy: LibraryCopy) async throws {
        let edit = refused.edit
        let error = edit.error ?? EditError(code: "cancelled", message: "The copy was cancelled.")
        guard error.code == ProviderFailure.Kind.requestRefused.rawValue, edit.playlistKey != nil,
            refused.formerCount < Self.mostRefused
        else { throw error }
        let isAlone = refused.entries.count == 1
        let changed = (refused.entries + refused.later).map { entry in
            var entry = entry
            entry.state = .found
            return entry
        }
        try await keep { transaction in
            try transaction.copies.write(changed, of: copy)
            guard var copy = try transaction.copies.copy(copy.id, userID: copy.userID) else { return }
            copy.lastEdit = edit.id
            try transaction.copies.write(copy)
            if isAlone { try transaction.copies.refuse(refused.entries, Self.reason(copy.target), of: copy) }
        }
    }

    /// Lists those of some entries that cannot be written to the service: songs that were merged, removed, or that an
    /// earlier choice names in a wrong form.
    ///
    /// - Throws: the refusal, if it is not about a song.
    func listRefused(_ entries: [CopyEntry], of copy: LibraryCopy, _ refusal: EditRefusal) async throws {
        let refused = try await database.read { reader in
            try entries.compactMap { entry in
                try reader.copies.refusal(of: entry, in: copy).map { (entry, "\($0)") }
            }
        }
        guard !refused.isEmpty else { throw refusal }
        try await keep { transaction in
            for (entry, reason) in refused { try transaction.copies.refuse([entry], reason, of: copy) }
        }
    }

    static func reason(_ target: MusicSource) -> String {
        "refused: \(target.displayName) does not take this song, which its catalog may not have any more"
    }
}

extension LibraryEdit {
    /// The most songs that are written after this edit was refused: half of those of the request. `nil` after one that
    /// was not.
    var nextPart: Int? {
        guard state == .failed else { return nil }
        return max(1, min(total - done, source.playlistChunk) / 2)
    }
}
