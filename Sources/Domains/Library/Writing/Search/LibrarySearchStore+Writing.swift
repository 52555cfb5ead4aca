import Library
import Storage

extension LibrarySearchStore where Access == WriteTransaction {
    /// Makes tracks searchable by their texts, replacing earlier texts. Only the blocks of these tracks are written.
    package func index(_ tracks: [(id: Int64, text: SearchText)], library: Int64) throws {
        try updateIndex(texts: tracks, removing: [], library: library)
    }

    /// Removes tracks from the search index.
    package func unindex(_ ids: [Int64], library: Int64) throws {
        try updateIndex(texts: [], removing: ids, library: library)
    }

    /// Removes and adds texts, writing each block once. A track that is in both lists keeps its text.
    func updateIndex(texts: [(id: Int64, text: SearchText)], removing removed: [Int64], library: Int64) throws {
        guard !texts.isEmpty || !removed.isEmpty else { return }
        var byID: [Int64: [UInt8]?] = [:]
        for id in removed { byID.updateValue(nil, forKey: id) }
        // If a track has several texts, the last one counts.
        for track in texts { byID.updateValue(track.text.bytes, forKey: track.id) }
        let changes = byID.sorted { $0.key < $1.key }.map { (id: $0.key, text: $0.value) }
        for (block, changes) in try grouped(changes, by: { $0.id }, library: library) {
            var added: [(id: Int64, text: [UInt8])] = []
            var removed: Set<Int64> = []
            for change in changes {
                if let text = change.text { added.append((change.id, text)) } else { removed.insert(change.id) }
            }
            if block == nil && added.isEmpty { continue }
            try change(block: block, library: library) { block in
                if !removed.isEmpty { block.remove(removed) }
                block.setTexts(added)
            }
        }
    }

    /// Groups items by the block that they belong to: the one with the greatest `first_id` that is not above the item's
    /// id; `nil` for items that precede every block.
    ///
    /// - Parameter items: the items, sorted by id.
    private func grouped<Item>(
        _ items: [Item], by id: (Item) -> Int64, library: Int64
    ) throws -> [(block: Int64?, items: ArraySlice<Item>)] {
        guard let first = items.first, let last = items.last else { return [] }
        let (lowest, highest) = (id(first), id(last))
        // Texts of new tracks go into the last block, so this is usually a single row.
        let blocks: [Int64] = try transaction.map(
            """
            SELECT first_id FROM library_search_blocks
            WHERE library_id = \(library) AND first_id <= \(highest) AND first_id >= coalesce(
                (SELECT max(first_id) FROM library_search_blocks
                WHERE library_id = \(library) AND first_id <= \(lowest)), 0)
            ORDER BY first_id
            """
        ) { try $0["first_id"] }
        var groups: [(block: Int64?, items: ArraySlice<Item>)] = []
        var start = items.startIndex
        var current: Int64?
        var next = blocks[...]
        for index in items.indices {
            var found = current
            while let candidate = next.first, candidate <= id(items[index]) {
                found = candidate
                next = next.dropFirst()
            }
            if found != current, index > start {
                groups.append((current, items[start..<index]))
                start = index
            }
            current = found
        }
        groups.append((current, items[start...]))
        return groups
    }

    /// Reads a block, changes it, and writes the result: no row, one row or several.
    ///
    /// - Parameter block: the block's `first_id`; `nil` for a new block.
    private func change(block: Int64?, library: Int64, _ body: (inout SearchBlock) -> Void) throws {
        let before = try block.map { try searchBlock($0, library: library) } ?? SearchBlock()
        var after = before
        body(&after)
        guard after != before else { return }
        let parts = after.parts
        if let block {
            if let first = parts.first {
                let columns = first.columns
                try transaction.run(
                    """
                    UPDATE library_search_blocks SET entries = \(columns.entries), texts = \(columns.texts)
                    WHERE library_id = \(library) AND first_id = \(block)
                    """)
            } else {
                try transaction.run(
                    "DELETE FROM library_search_blocks WHERE library_id = \(library) AND first_id = \(block)")
            }
        }
        for part in block == nil ? parts[...] : parts.dropFirst() {
            let columns = part.columns
            try transaction.run(
                """
                INSERT INTO library_search_blocks (library_id, first_id, entries, texts)
                VALUES (\(library), \(part.tracks[0].id), \(columns.entries), \(columns.texts))
                """)
        }
    }

    private func searchBlock(_ firstID: Int64, library: Int64) throws -> SearchBlock {
        let row = try transaction.row(
            """
            SELECT entries, texts FROM library_search_blocks
            WHERE library_id = \(library) AND first_id = \(firstID)
            """)
        guard let row else { return SearchBlock() }
        return try SearchBlock(entries: row["entries"], texts: row["texts"])
    }
}
