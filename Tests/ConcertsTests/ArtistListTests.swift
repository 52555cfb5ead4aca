import Concerts
import Model
import Testing

@Suite("The artist list")
struct ArtistListTests {
    private func list(_ names: String...) throws -> ArtistList {
        var list = ArtistList()
        for name in names { try list.add(name, id: "id-\(name)") }
        return list
    }

    private func ranks(_ list: ArtistList) -> [String] {
        list.artists.map { "\($0.rank) \($0.name)" }
    }

    @Test("Ranks have no gaps after adding, moving and removing")
    func ranksWithoutGaps() throws {
        var list = try list("A", "B", "C")
        try list.add("D", id: "id-D", at: 1)
        #expect(ranks(list) == ["1 D", "2 A", "3 B", "4 C"])
        try list.move(id: "id-D", to: 4)
        #expect(ranks(list) == ["1 A", "2 B", "3 C", "4 D"])
        try list.move(id: "id-C", to: 1)
        #expect(ranks(list) == ["1 C", "2 A", "3 B", "4 D"])
        #expect(try list.remove(id: "id-A") == RankedArtist(id: "id-A", name: "A", rank: 2))
        #expect(ranks(list) == ["1 C", "2 B", "3 D"])
    }

    @Test("Replacing the list keeps the ids of artists that stay")
    func replacingKeepsIDs() throws {
        var list = try list("ABBA", "The Beatles")
        try list.replace(with: ["Beatles", "Air"])
        #expect(ranks(list) == ["1 Beatles", "2 Air"])
        #expect(list.artists.first?.id == "id-The Beatles")
        #expect(list.artists.last.map { UUIDv7.isWellFormed($0.id) } == true)
        try list.replace(with: [])
        #expect(list.isEmpty)
    }

    @Test("A stored list with gaps, in any order, is read in order")
    func storedListWithGaps() throws {
        let list = try ArtistList([
            RankedArtist(id: "b", name: "B", rank: 7), RankedArtist(id: "a", name: "A", rank: 2),
        ])
        #expect(
            list.artists == [
                RankedArtist(id: "a", name: "A", rank: 1), RankedArtist(id: "b", name: "B", rank: 2),
            ])
    }

    @Test("An id or folded name is in the list only once")
    func artistsAreUnique() throws {
        var list = try list("The Beatles", "Beyoncé")
        let before = list
        #expect(throws: ArtistListError.duplicateArtist(name: "beyonce", existing: "Beyoncé", rank: 2)) {
            try list.add(" beyonce ")
        }
        #expect(throws: ArtistListError.duplicateArtist(name: "Other", existing: "The Beatles", rank: 1)) {
            try list.add("Other", id: "id-The Beatles")
        }
        #expect(throws: ArtistListError.duplicateArtist(name: "ACDC", existing: "AC/DC", rank: 1)) {
            try list.replace(with: ["AC/DC", "ACDC"])
        }
        #expect(list == before)
    }

    @Test("The twenty-first artist and a longer list are refused")
    func maximumLength() throws {
        var list = try ArtistList(names: (1...20).map { "Artist \($0)" })
        #expect(throws: ArtistListError.listFull(limit: 20)) { try list.add("One more") }
        #expect(throws: ArtistListError.duplicateArtist(name: "artist 7", existing: "Artist 7", rank: 7)) {
            try list.add("artist 7")
        }
        #expect(throws: ArtistListError.listFull(limit: 20)) {
            try ArtistList(names: (1...21).map { "Artist \($0)" })
        }
        #expect(list.count == 20)
    }

    @Test("Unknown artists and impossible positions are refused")
    func impossiblePositions() throws {
        var list = try list("A", "B")
        #expect(throws: ArtistListError.unknownArtist(id: "x")) { try list.remove(id: "x") }
        #expect(throws: ArtistListError.unknownArtist(id: "x")) { try list.move(id: "x", to: 1) }
        for position in [0, -1, 3, .max] {
            #expect(throws: ArtistListError.invalidPosition(position, count: 2)) {
                try list.move(id: "id-A", to: position)
            }
        }
        #expect(throws: ArtistListError.invalidPosition(4, count: 3)) { try list.add("C", at: 4) }
        #expect(ranks(list) == ["1 A", "2 B"])
    }

    @Test(
        "Invalid names are refused",
        arguments: [
            ("", ArtistListError.nameEmpty), (" \n ", .nameEmpty), ("\u{200B}", .nameEmpty),
            (String(repeating: "x", count: 201), .nameTooLong(length: 201, limit: 200)),
            (String(repeating: "é", count: 5_000), .nameTooLong(length: 5_000, limit: 200)),
            ("a\u{0}b", .nameHasControlCharacter(codePoint: 0)), ("a\nb", .nameHasControlCharacter(codePoint: 10)),
            ("a\u{202E}b", .nameHasControlCharacter(codePoint: 0x202E)),
            ("a\u{2028}b", .nameHasControlCharacter(codePoint: 0x2028)),
        ])
    func invalidNames(name: String, expected: ArtistListError) {
        #expect(throws: expected) { try ArtistName(name) }
        #expect(!expected.description.isEmpty)
        #expect(!expected.description.contains(name) || name.isEmpty)
    }

    @Test("Names of 200 characters and of any script are accepted")
    func goodNames() throws {
        #expect(try ArtistName(String(repeating: "x", count: 200)).text.count == 200)
        for name in ["!!!", "宇多田ヒカル", "👩‍🎤", "Ke$ha", "فيروز"] {
            #expect(try ArtistName("  \(name)\n").text == name)
        }
    }

    @Test("Errors say what to do")
    func textsOfErrors() {
        #expect(
            ArtistListError.listFull(limit: 20).description == "A list can have at most 20 artists. Remove one first.")
        #expect(
            ArtistListError.duplicateArtist(name: "acdc", existing: "AC/DC", rank: 3).description
                == #""acdc" is already in the list, as "AC/DC" at rank 3."#)
        #expect(ArtistListError.invalidPosition(9, count: 4).description.hasSuffix("Positions go from 1 to 4."))
        #expect(ArtistListError.nameHasControlCharacter(codePoint: 10).description.contains("U+000A"))
    }

    @Test("An artist's Spotify details are preserved, and identify the artist under another name")
    func spotifyDetails() throws {
        var list = ArtistList()
        let air = SpotifyArtist(id: "air", picture: nil, genres: ["ambient"])
        try list.add(.init(name: "Air", spotify: air))
        #expect(throws: ArtistListError.duplicateArtist(name: "Air (FR)", existing: "Air", rank: 1)) {
            try list.add(.init(name: "Air (FR)", spotify: air))
        }
        try list.replace(with: ["Moby", "AIR"])
        #expect(list.artists.map(\.spotify) == [nil, air])
        try list.reset(to: ["", "Muse", .init(name: "Air", spotify: nil), "MUSE", "Low"], count: 2)
        #expect(list.artists.map(\.name) == ["Muse", "Air"] && list.artists[1].spotify == air)
        try list.reset(to: [], count: 10)
        #expect(list.isEmpty)
    }
}
