import Model
import Storage

/// Replaces the key of private texts at run time.
///
/// First a new key is written to the top of the key file. Then every text is sealed again, a few in each transaction.
/// At last the former keys that no text needs are removed. An interrupted rotation is continued by the next call, which
/// makes no further key.
///
/// The file changes only in write transactions, and whoever seals a text reads it in one (``CurrentTextKeys``). Only one
/// write transaction runs at a time across all processes. So nothing is sealed with a former key once the new one is
/// written, and a former key without texts stays without them. Nobody knows that of a key that was not former when this
/// rotation began, since another one may run at the same time: such a key stays.
package struct TextKeyRotation: Sendable {
    package struct Progress: Sendable, Equatable {
        /// The id of the key that seals.
        package var currentID: String
        package var resealed = 0
        /// Texts that cannot be opened with the key that sealed them, since they were modified. They stay as they are.
        package var damaged = 0
        /// Texts whose key is not in the file. They stay as they are.
        package var lost = 0
        /// The ids of keys that were removed from the file.
        package var dropped: [String] = []
    }

    private let file: TextKeyFile
    private let tables: [SealedTextTable]
    private let database: Database

    /// - Parameter tables: all tables with private texts.
    package init(file: TextKeyFile, tables: [SealedTextTable], database: Database) {
        (self.file, self.tables, self.database) = (file, tables, database)
    }

    /// Rotates the key, or continues an interrupted rotation.
    ///
    /// - Throws: ``TextKeyError``, `StorageError`, or `CancellationError` between two transactions.
    package func run() async throws -> Progress {
        let keys = try await begin()
        var progress = Progress(currentID: keys[0].id)
        var damaged: [String: Int] = [:]
        for table in tables { try await reseal(table, with: keys, &progress, &damaged) }
        progress.damaged = damaged.values.reduce(0, +)
        progress.dropped = try await dropUnused(of: keys.dropFirst().map(\.id), damaged: damaged)
        return progress
    }

    /// Makes a new key, unless an unfinished rotation has already made one.
    ///
    /// - Returns: all keys, the new one first.
    /// - Throws: ``TextKeyError``, `StorageError`.
    package func begin() async throws -> [TextKey] {
        try await database.write { [file] _ in
            var keys = try file.load().keys
            guard keys.count == 1 else { return keys }
            keys.insert(.random(), at: 0)
            try file.replace(with: keys)
            return keys
        }
    }

    /// - Parameter damaged: how many damaged texts each key has sealed, by its id.
    private func reseal(
        _ table: SealedTextTable, with keys: [TextKey], _ progress: inout Progress, _ damaged: inout [String: Int]
    ) async throws {
        // Each step holds the write lock for 20 ms at most.
        let writes = SteppedWrites(database, checkpoints: false)
        var last: SQLValue?
        while true {
            try Task.checkCancellation()
            let after = last
            let found = try await database.read {
                try $0.sealedTexts(in: table, notSealedWith: keys[0].id, after: after, limit: Self.textsAtOnce)
            }
            guard let end = found.last else { return }
            last = end.key
            var resealed: [ResealedText] = []
            for text in found {
                guard let key = keys.first(where: { $0.id == text.keyID }) else {
                    progress.lost += 1
                    continue
                }
                let name = TextName(table: table.name.description, row: text.row, author: text.author)
                guard let opened = key.open(SealedText(keyID: text.keyID, bytes: text.sealed), as: name) else {
                    damaged[text.keyID, default: 0] += 1
                    continue
                }
                resealed.append(ResealedText(former: text, new: try keys[0].seal(opened, as: name)))
            }
            let counts: [Int] = try await writes.write(resealed, bytes: { $0.new.bytes.count }) { transaction, part in
                try part.reduce(0) { count, text in
                    let isReplaced = try transaction.reseal(
                        text.former, in: table, keyID: text.new.keyID, sealed: text.new.bytes)
                    return count + (isReplaced ? 1 : 0)
                }
            }
            progress.resealed += counts.reduce(0, +)
        }
    }

    private struct ResealedText: Sendable {
        let former: StoredText
        let new: SealedText
    }

    /// Removes from the file the former keys that no text needs. A damaged text needs none, so that it does not keep
    /// every later rotation from making a new key.
    ///
    /// - Parameters:
    ///   - former: the ids of the keys that have sealed nothing since this rotation began.
    ///   - damaged: as in ``reseal(_:with:_:_:)``.
    /// - Returns: the ids of the removed keys.
    private func dropUnused(of former: [String], damaged: [String: Int]) async throws -> [String] {
        let counts = try await database.read { [tables] in try $0.sealedTextCounts(in: tables) }
        let unused = Set(former.filter { (counts[$0] ?? 0) <= (damaged[$0] ?? 0) })
        return try await database.write { [file] _ in
            let keys = try file.load().keys
            let kept = keys.filter { !unused.contains($0.id) }
            guard kept.count < keys.count, !kept.isEmpty else { return [] }
            try file.replace(with: kept)
            return keys.map(\.id).filter(unused.contains)
        }
    }

    /// The most texts that are read at once.
    private static let textsAtOnce = 200
}
