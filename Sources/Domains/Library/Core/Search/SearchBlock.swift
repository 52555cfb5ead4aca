import CLinux
import Storage

/// The folded texts of tracks with neighboring ids, as stored in one row of `library_search_blocks`.
///
/// `entries` has 12 bytes per track, sorted by id: the id, and the end of the track's text in `texts`, both in
/// little-endian order.
package struct SearchBlock: Sendable, Equatable {
    /// A block that grows beyond these limits is split.
    static let maximumEntries = 128
    static let maximumBytes = 16 << 10

    private static let entrySize = 12

    /// The tracks, sorted by id.
    package private(set) var tracks: [(id: Int64, text: [UInt8])]

    package init(_ tracks: [(id: Int64, text: [UInt8])] = []) {
        self.tracks = tracks
    }

    package static func == (left: SearchBlock, right: SearchBlock) -> Bool {
        left.tracks.elementsEqual(right.tracks) { $0.id == $1.id && $0.text == $1.text }
    }

    // MARK: Rows

    /// - Throws: ``StorageError/column(name:found:wanted:)`` if the bytes are not a valid block.
    package init(entries: [UInt8], texts: [UInt8]) throws {
        var tracks: [(id: Int64, text: [UInt8])] = []
        tracks.reserveCapacity(entries.count / Self.entrySize)
        try texts.withUnsafeBytes { texts in
            try Self.forEachEntry(of: entries, textBytes: texts.count) { id, start, end in
                tracks.append((id, Array(texts[start..<end])))
            }
        }
        self.tracks = tracks
    }

    package var columns: (entries: [UInt8], texts: [UInt8]) {
        var (entries, texts): ([UInt8], [UInt8]) = ([], [])
        entries.reserveCapacity(tracks.count * Self.entrySize)
        texts.reserveCapacity(byteCount)
        for track in tracks {
            texts.append(contentsOf: track.text)
            withUnsafeBytes(of: track.id.littleEndian) { entries.append(contentsOf: $0) }
            withUnsafeBytes(of: UInt32(texts.count).littleEndian) { entries.append(contentsOf: $0) }
        }
        return (entries, texts)
    }

    private var byteCount: Int { tracks.reduce(0) { $0 + $1.text.count } }

    private static func forEachEntry(
        of entries: [UInt8], textBytes: Int, _ body: (_ id: Int64, _ start: Int, _ end: Int) throws -> Void
    ) throws {
        guard entries.count.isMultiple(of: entrySize) else { throw unreadable("entries") }
        try entries.withUnsafeBytes { entries in
            var start = 0
            for offset in stride(from: 0, to: entries.count, by: entrySize) {
                let id = Int64(littleEndian: entries.loadUnaligned(fromByteOffset: offset, as: Int64.self))
                let end = Int(UInt32(littleEndian: entries.loadUnaligned(fromByteOffset: offset + 8, as: UInt32.self)))
                guard start <= end, end <= textBytes else { throw unreadable("texts") }
                try body(id, start, end)
                start = end
            }
        }
    }

    private static func unreadable(_ column: String) -> StorageError {
        .column(name: column, found: "other bytes", wanted: "a block of folded texts")
    }

    // MARK: Changes

    /// Adds texts, replacing the former texts of their tracks.
    ///
    /// - Parameter changes: the texts, sorted by id, one per track.
    package mutating func setTexts(_ changes: [(id: Int64, text: [UInt8])]) {
        guard let first = changes.first else { return }
        // The usual case is that the tracks are newer than all others.
        if let last = tracks.last, last.id >= first.id {
            var merged: [(id: Int64, text: [UInt8])] = []
            merged.reserveCapacity(tracks.count + changes.count)
            var remaining = changes[...]
            for track in tracks {
                while let change = remaining.first, change.id < track.id {
                    merged.append(change)
                    remaining = remaining.dropFirst()
                }
                if let change = remaining.first, change.id == track.id {
                    merged.append(change)
                    remaining = remaining.dropFirst()
                } else {
                    merged.append(track)
                }
            }
            tracks = merged + remaining
        } else {
            tracks += changes
        }
    }

    package mutating func remove(_ ids: Set<Int64>) {
        tracks.removeAll { ids.contains($0.id) }
    }

    /// The block, divided into parts within the limits; empty for an empty block.
    package var parts: [SearchBlock] {
        var parts: [SearchBlock] = []
        var (start, bytes) = (0, 0)
        for (index, track) in tracks.enumerated() {
            let isFull = index - start == Self.maximumEntries || bytes + track.text.count > Self.maximumBytes
            // A text that is larger than a whole block gets its own block.
            if isFull && index > start {
                parts.append(SearchBlock(Array(tracks[start..<index])))
                (start, bytes) = (index, 0)
            }
            bytes += track.text.count
        }
        if start < tracks.count { parts.append(SearchBlock(Array(tracks[start...]))) }
        return parts
    }

    // MARK: Searching

    /// Adds the tracks that match, sorted by id, without decoding the others.
    ///
    /// - Throws: ``StorageError/column(name:found:wanted:)`` if the bytes are not a valid block.
    static func search(
        _ query: SearchQuery, entries: [UInt8], texts: [UInt8], into hits: inout SearchHits
    ) throws {
        guard entries.count.isMultiple(of: entrySize) else { throw unreadable("entries") }
        try query.bytes.withUnsafeBytes { needle in
            try texts.withUnsafeBytes { texts in
                try entries.withUnsafeBytes { entries in
                    guard let text = texts.baseAddress, let sought = needle.baseAddress else { return }
                    let end = { (entry: Int) in
                        Int(UInt32(littleEndian: entries.loadUnaligned(fromByteOffset: entry + 8, as: UInt32.self)))
                    }
                    var (place, entry) = (0, 0)
                    while place < texts.count,
                        let match = clinux_find(text + place, texts.count - place, sought, needle.count)
                    {
                        let found = match - text
                        // The match belongs to the first entry that ends after it, since a separator follows each
                        // field.
                        while entry < entries.count, end(entry) <= found { entry += entrySize }
                        guard entry < entries.count else { throw unreadable("texts") }
                        let start = entry == 0 ? 0 : end(entry - entrySize)
                        place = end(entry)
                        guard start <= place, place <= texts.count else { throw unreadable("texts") }
                        hits.add(
                            Int64(littleEndian: entries.loadUnaligned(fromByteOffset: entry, as: Int64.self)),
                            text: UnsafeRawBufferPointer(rebasing: texts[start..<place]))
                        entry += entrySize
                    }
                }
            }
        }
    }
}
