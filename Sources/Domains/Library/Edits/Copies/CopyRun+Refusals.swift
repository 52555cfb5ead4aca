import Model
import Storage

/// The entries that an edit of a copy was to write when the service refused it.
struct WriteRefusal: Sendable {
    /// The edit that was refused.
    var edit: LibraryEdit
    /// The entries of this edit that were not written.
    var entries: [CopyEntry]
    /// The entries of later edits, which failed along with it.
    var later: [CopyEntry]
    /// How many songs of the copy the service had refused before.
    var formerCount: Int
}

/// Songs that the service refuses to add: they are listed as missing, and the others are written.
extension CopyRun {
    /// If more songs than this are refused, the songs are not the reason.
    private static let mostRefused = 20

    /// Returns the entries of a refused edit to the queue, to be written in smaller edits until the refused song is
    /// isolated.
    ///
    /// A service that refuses one song refuses the whole request, and does not say which song it is.
    ///
    /// - Throws: the edit's ``EditError`` if a song cannot be the reason.
    func requeue(_ refused: WriteRefusal, of copy: LibraryCopy) async throws {
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
        try await checkpoint { transaction in
            try transaction.copies.updateEntries(changed, of: copy)
            guard var copy = try transaction.copies.copy(copy.id, userID: copy.userID) else { return }
            copy.lastEdit = edit.id
            try transaction.copies.updateCopy(copy)
            if isAlone { try transaction.copies.refuse(refused.entries, Self.reason(copy.target), of: copy) }
        }
    }

    /// Lists the entries that cannot be written to the service as missing: songs that were merged or removed, or that
    /// an earlier choice names in an invalid form.
    ///
    /// - Throws: the refusal, if it does not concern any of the songs.
    func listRefused(_ entries: [CopyEntry], of copy: LibraryCopy, _ refusal: EditRefusal) async throws {
        let refused = try await database.read { reader in
            try entries.compactMap { entry in
                try reader.copies.refusal(of: entry, in: copy).map { (entry, "\($0)") }
            }
        }
        guard !refused.isEmpty else { throw refusal }
        try await checkpoint { transaction in
            for (entry, reason) in refused { try transaction.copies.refuse([entry], reason, of: copy) }
        }
    }

    static func reason(_ target: MusicSource) -> String {
        "refused: \(target.displayName) does not accept this song; it may no longer be in its catalog"
    }
}

extension LibraryEdit {
    /// The maximum number of songs to write after this edit was refused: half of those in the refused request. `nil` if
    /// the edit did not fail.
    var nextPart: Int? {
        guard state == .failed else { return nil }
        return max(1, min(total - done, source.playlistChunk) / 2)
    }
}
