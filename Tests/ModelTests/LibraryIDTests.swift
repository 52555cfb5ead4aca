import Model
import TestSupport
import Testing

@Suite("Keys of library rows")
struct LibraryIDTests {
    @Test("A key's text is a UUIDv7 of its moment, from which the key can be read")
    func roundTrip() throws {
        var random = SeededRandom(seed: 7)
        for _ in 0..<2_000 {
            let id = LibraryID(key: Int64.random(in: 0...Int64.max, using: &random))
            let text = id.text
            #expect(UUIDv7.isWellFormed(text))
            let characters = Array(text)
            #expect(characters[14] == "7" && "89ab".contains(characters[19]))
            #expect(LibraryID(text) == id)
            #expect(LibraryID(text.uppercased()) == nil || text == text.uppercased())
        }
        let moment = Timestamp(microseconds: 1_700_000_000_123_456)
        #expect(LibraryID(first: moment).text.hasPrefix("018bcfe5-687b-7000-8"))
    }

    @Test("Texts sort as their keys do")
    func textsSortAsKeys() {
        var random = SeededRandom(seed: 8)
        let ids = (0..<500).map { _ in LibraryID(key: Int64.random(in: 0...Int64.max, using: &random)) }
        #expect(ids.sorted().map(\.text) == ids.map(\.text).sorted())
        // The neighbors of the counter, too.
        let first = LibraryID(first: Timestamp(microseconds: 1_700_000_000_000_000))
        let near = (0..<2_000).map { LibraryID(key: first.key + Int64($0) * 997) }
        #expect(near.map(\.text) == near.map(\.text).sorted())
    }

    @Test("No other text is a key: not a random UUID, nor one with a changed digit")
    func otherTexts() {
        #expect(LibraryID("") == nil && LibraryID("0190") == nil)
        for _ in 0..<200 { #expect(LibraryID(UUIDv7.next()) == nil) }
        let text = LibraryID(key: 3_565_158_400_000_000_000).text
        for place in text.indices where text[place] != "-" {
            var other = text
            other.replaceSubrange(place...place, with: text[place] == "0" ? "1" : "0")
            #expect(LibraryID(other) == nil, "\(other)")
        }
    }
}

@Suite("Codes and dates of recordings")
struct RecordingValueTests {
    @Test("An ISRC is twelve letters and digits, in upper case without hyphens")
    func formOfISRCs() {
        for text in ["GBAYE9700001", "gbaye9700001", "GB-AYE-97-00001", " GB AYE 97 00001 "] {
            #expect(ISRC.normalized(text) == "GBAYE9700001")
        }
        for text in ["", "GBAYE970000", "GBAYE97000011", "GBAYE97_0001", "ÄBAYE9700001", "unknown"] {
            #expect(ISRC.normalized(text) == nil, "\(text)")
        }
    }

    @Test("A release date is a year, a month or a day that exists")
    func releaseDates() {
        for text in ["1997", "1997-05", "1997-05-21", "2024-02-29"] { #expect(ReleaseDate(text)?.text == text) }
        for text in ["", "0000", "97", "1997-13", "1997-00", "2023-02-29", "1997-5", "1997-5-21", "1997-", "١٩٩٧"] {
            #expect(ReleaseDate(text) == nil, "\(text)")
        }
    }
}
