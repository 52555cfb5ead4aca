import Model
import Storage
import TestSupport
import Testing

@testable import Library
@testable import LibraryWriting

@Suite("Blocks of search texts", .timeLimit(.minutes(5)))
struct SearchBlockTests {
    /// A row of the table.
    private struct StoredRow: Equatable {
        var firstID: Int64
        var entries: [UInt8]
        var texts: [UInt8]
        var block: SearchBlock { get throws { try SearchBlock(entries: entries, texts: texts) } }
    }

    private func blocks(_ database: Database, library: Int64) async throws -> [StoredRow] {
        try await database.read { reader in
            try reader.map(
                """
                SELECT first_id, entries, texts FROM library_search_blocks WHERE library_id = \(library)
                ORDER BY first_id
                """
            ) { StoredRow(firstID: try $0["first_id"], entries: try $0["entries"], texts: try $0["texts"]) }
        }
    }

    /// Checks the format of the blocks, and that they contain exactly these texts.
    private func check(_ stored: [StoredRow], _ wanted: [Int64: SearchText]) throws {
        var found: [(id: Int64, text: [UInt8])] = []
        for (index, row) in stored.enumerated() {
            let tracks = try row.block.tracks
            #expect(!tracks.isEmpty && tracks.count <= SearchBlock.maximumEntries)
            #expect(tracks.count == 1 || row.texts.count <= SearchBlock.maximumBytes)
            let first = try #require(tracks.first)
            #expect(row.firstID <= first.id)
            if index + 1 < stored.count {
                let last = try #require(tracks.last)
                #expect(last.id < stored[index + 1].firstID)
            }
            found += tracks
        }
        #expect(found.map(\.id) == wanted.keys.sorted())
        for track in found { #expect(wanted[track.id]?.bytes == track.text) }
    }

    @Test("Adding, replacing and removing in any order leaves the expected texts", arguments: 0..<12)
    func randomWrites(seed: UInt64) async throws {
        try await withDatabase { database, _ in
            var random = SeededRandom(seed: seed)
            var wanted: [Int64: SearchText] = [:]
            var next: Int64 = 1_000
            for _ in 0..<40 {
                var texts: [(id: Int64, text: SearchText)] = []
                for _ in 0..<Int.random(in: 1...150, using: &random) {
                    let id: Int64
                    switch Int.random(in: 0..<10, using: &random) {
                    case 0: id = Int64.random(in: 1...next, using: &random)
                    case 1: id = wanted.keys.randomElement(using: &random) ?? 5
                    default:
                        next += Int64.random(in: 1...3, using: &random)
                        id = next
                    }
                    let isLong = Int.random(in: 0..<30, using: &random) == 0
                    let text = SearchText(
                        title: SampleSongs.text(&random), artist: SampleSongs.text(&random),
                        album: isLong ? String(repeating: "long ", count: 2_000) : SampleSongs.text(&random))
                    texts.append((id, text))
                }
                for (id, text) in texts { wanted[id] = text }
                let removed = (0..<Int.random(in: 0...40, using: &random)).compactMap { _ in
                    wanted.keys.randomElement(using: &random)
                }
                let written = texts
                try await database.write { transaction in
                    try transaction.librarySearch.index(written, library: 7)
                    try transaction.librarySearch.unindex(removed + [999_999_999], library: 7)
                }
                for id in removed { wanted[id] = nil }
            }
            try check(try await blocks(database, library: 7), wanted)
            let everything = Array(wanted.keys)
            try await database.write { try $0.librarySearch.unindex(everything, library: 7) }
            let left = try await blocks(database, library: 7)
            #expect(left.isEmpty)
        }
    }

    @Test("New tracks only change the last block, and another library's blocks are unchanged")
    func appendedTracks() async throws {
        try await withDatabase { database, _ in
            let texts = (1...1_000).map { number in
                (id: Int64(number), text: SearchText(title: "Title \(number)", artist: "Artist", album: "Album"))
            }
            try await database.write { transaction in
                try transaction.librarySearch.index(Array(texts.prefix(700)), library: 1)
                try transaction.librarySearch.index(texts, library: 2)
            }
            let before = try await blocks(database, library: 1)
            let other = try await blocks(database, library: 2)
            #expect(before.count == 6)
            try await database.write { try $0.librarySearch.index(Array(texts[700..<800]), library: 1) }
            let after = try await blocks(database, library: 1)
            #expect(Array(after.prefix(5)) == Array(before.prefix(5)))
            #expect(after.count == 7)
            try await database.write { try $0.librarySearch.unindex([10, 700], library: 1) }
            let untouched = try await blocks(database, library: 2)
            #expect(untouched == other)
        }
    }

    @Test("A removed text is no longer in any row")
    func removedText() async throws {
        try await withDatabase { database, _ in
            try await database.write { transaction in
                try transaction.librarySearch.index(
                    [
                        (1, SearchText(title: "Planted Zebra", artist: "A", album: "B")),
                        (2, SearchText(title: "Other", artist: "A", album: "B")),
                    ], library: 1)
                try transaction.librarySearch.unindex([1], library: 1)
            }
            let rows = try await blocks(database, library: 1)
            #expect(rows.count == 1)
            let texts = String(decoding: try #require(rows.first).texts, as: UTF8.self)
            #expect(!texts.contains("zebra") && texts.contains("other"))
        }
    }

    @Test(
        "Hits provide a text that does not come after any value of a field",
        arguments: [
            (SearchHits.Field?.none, String?.none), (.title, "a наити"), (.artist, "aкинокин"), (.album, ""),
        ])
    func lowerBoundOfHits(field: SearchHits.Field?, expected: String?) throws {
        let tracks = [
            SearchText(title: "c найти", artist: "я", album: ""),
            SearchText(title: "a", artist: "0", album: "x"),
            // Its first 16 bytes end in the middle of a character.
            SearchText(title: "a найти", artist: "aкинокинокино", album: "b"),
        ]
        let columns = SearchBlock(tracks.enumerated().map { (Int64($0 + 1), $1.bytes) }).columns
        var hits = SearchHits(orderedBy: field)
        let query = try #require(SearchQuery("найти"))
        try SearchBlock.search(query, entries: columns.entries, texts: columns.texts, into: &hits)
        #expect(hits.ids == [1, 3])
        #expect(hits.beginning == expected)
    }

    @Test("Damaged blocks are an error")
    func damagedBlocks() throws {
        let columns = SearchBlock([(1, Array("abc".utf8)), (2, Array("def".utf8))]).columns
        let query = try #require(SearchQuery("d"))
        var hits = SearchHits()
        try SearchBlock.search(query, entries: columns.entries, texts: columns.texts, into: &hits)
        #expect(hits.ids == [2])
        #expect(throws: StorageError.self) {
            try SearchBlock.search(query, entries: Array(columns.entries.dropLast()), texts: columns.texts, into: &hits)
        }
        #expect(throws: StorageError.self) {
            try SearchBlock.search(query, entries: Array(columns.entries.prefix(12)), texts: columns.texts, into: &hits)
        }
        #expect(throws: StorageError.self) {
            _ = try SearchBlock(entries: columns.entries, texts: Array(columns.texts.prefix(4)))
        }
    }
}
