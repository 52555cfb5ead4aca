import Storage

extension [ErasureStep] {
    /// Erases a person's library: the rows of all its tables, and the row of the library itself last.
    static let ofLibrary: Self = firstSteps + wideTables.map { rows(of: $0) } + [lastStep]

    private static let wideTables: [StaticString] = [
        "library_playlists", "library_albums", "library_source_tracks", "library_tracks", "library_former_tracks",
        "library_decisions",
    ]

    private static let firstSteps: [ErasureStep] = [
        // This is the first step, so that a running sync writes nothing more.
        ErasureStep { reader, userID, _ in
            try reader.libraryErasure.hasAccounts(userID: userID) ? [.init(userID)] : []
        } erase: { transaction, userID, _ in
            try transaction.libraryErasure.eraseAccounts(userID: userID)
        },
        ErasureStep { reader, userID, limit in
            try reader.libraryErasure.erasedEntries(userID: userID, limit: limit)
        } erase: { transaction, userID, ranges in
            try transaction.libraryErasure.eraseEntries(ranges, userID: userID)
        },
        ErasureStep { reader, userID, limit in
            try reader.libraryErasure.erasedChanges(userID: userID, limit: limit)
        } erase: { transaction, userID, ranges in
            try transaction.libraryErasure.eraseChanges(ranges, userID: userID)
        },
        ErasureStep { reader, userID, limit in
            try reader.libraryErasure.erasedSeen(userID: userID, limit: limit)
        } erase: { transaction, userID, ranges in
            try transaction.libraryErasure.eraseSeen(ranges, userID: userID)
        },
        ErasureStep { reader, userID, limit in
            try reader.libraryErasure.erasedRanges(of: .identityKeys, userID: userID, limit: limit)
        } erase: { transaction, userID, ranges in
            try transaction.libraryErasure.eraseRanges(ranges, of: .identityKeys, userID: userID)
        },
        ErasureStep { reader, userID, limit in
            try reader.libraryErasure.erasedRanges(of: .duplicates, userID: userID, limit: limit)
        } erase: { transaction, userID, ranges in
            try transaction.libraryErasure.eraseRanges(ranges, of: .duplicates, userID: userID)
        },
        ErasureStep { reader, userID, limit in
            try reader.libraryErasure.erasedRanges(of: .decisionTracks, userID: userID, limit: limit)
        } erase: { transaction, userID, ranges in
            try transaction.libraryErasure.eraseRanges(ranges, of: .decisionTracks, userID: userID)
        },
        ErasureStep { reader, userID, limit in
            try reader.libraryErasure.erasedSearchBlocks(userID: userID, limit: limit)
        } erase: { transaction, userID, keys in
            try transaction.libraryErasure.eraseSearchBlocks(keys, userID: userID)
        },
    ]

    /// The row of the library, which the other steps use to find theirs.
    private static let lastStep = ErasureStep { reader, userID, _ in
        try reader.libraryErasure.isOnlyRow(userID: userID) ? [.init(userID)] : []
    } erase: { transaction, userID, _ in
        try transaction.libraryErasure.eraseLibrary(userID: userID)
    }

    /// Deletes the rows of a table with the columns `library_id` and `id`.
    private static func rows(of table: StaticString) -> ErasureStep {
        ErasureStep { reader, userID, limit in
            try reader.libraryErasure.erasedRows(of: table, userID: userID, limit: limit)
        } erase: { transaction, userID, keys in
            try transaction.libraryErasure.erase(keys, of: table, userID: userID)
        }
    }
}
