import Model
import People
import Storage
import TestSupport
import Testing
import Visibility

@Suite("Suggestions of people")
struct SuggestionTests {
    private func listen(_ number: Int, to names: [String], in town: SampleTown) async throws {
        try await town.act {
            try $0.replaceArtists(
                names.compactMap(TopArtist.init(name:)), of: SampleTown.name(number), listensChange: 1,
                now: SampleTown.noon)
        }
    }

    private func suggestions(
        for number: Int, favorites: [String] = [], in town: SampleTown
    ) async throws -> [(name: String, reason: PersonSuggestion.Reason)] {
        let viewer = try #require(try await town.viewer(number))
        return try await town.database.read { reader in
            try reader.people.suggestions(
                for: viewer, favorites: favorites.compactMap(TopArtist.init(name:)), limit: 20
            ).map { ($0.userID, $0.reason) }
        }
    }

    @Test("Those with the most artists in common come first, with these artists as the reason")
    func artists() async throws {
        try await withDatabase { database in
            let town = try await SampleTown(database, people: 5)
            try await listen(0, to: ["Muse", "Sigur Rós", "Björk"], in: town)
            try await listen(1, to: ["MUSE", "Adele"], in: town)
            try await listen(2, to: ["bjork", "muse", "sigur ros"], in: town)
            try await listen(3, to: ["Adele"], in: town)
            let found = try await suggestions(for: 0, in: town)
            #expect(found.map(\.name) == [2, 1].map(SampleTown.name))
            guard case .topArtists(let names) = found.first?.reason else {
                Issue.record("no artists")
                return
            }
            #expect(Set(names) == ["bjork", "muse", "sigur ros"], "in the words of the other person")
            #expect(found.last?.reason == .topArtists(["MUSE"]))
            // The person's own list counts for them, and is shown to nobody.
            #expect(
                try await suggestions(for: 4, favorites: ["Adele"], in: town).map(\.name)
                    == [1, 3].map(SampleTown.name))
            #expect(try await suggestions(for: 3, in: town).map(\.name) == [SampleTown.name(1)])
        }
    }

    @Test("Only those are suggested for their artists who show their stats to the viewer")
    func visibleStats() async throws {
        try await withDatabase { database in
            let town = try await SampleTown(database, people: 9)
            for number in 0..<9 { try await listen(number, to: ["Muse"], in: town) }
            try await town.setVisibility(.private, of: 1)
            try await town.setVisibility(.followers, of: 2)
            try await town.follow(4, by: 0)
            try await town.setVisibility(.followers, of: 5)
            try await town.follow(5, by: 0)
            try await database.write { transaction in
                try transaction.visibility.setShowsStats(false, userID: SampleTown.name(3))
                try transaction.people.block(SampleTown.name(6), by: SampleTown.name(0), now: SampleTown.noon)
                try transaction.people.block(SampleTown.name(0), by: SampleTown.name(7), now: SampleTown.noon)
            }
            #expect(try await suggestions(for: 0, in: town).map(\.name) == [SampleTown.name(8)])
            try await database.write { try $0.visibility.close(userID: SampleTown.name(8)) }
            #expect(try await suggestions(for: 0, in: town).isEmpty)
        }
    }

    @Test("Whoever three of mine follow is suggested without names, on a server with twenty people")
    func network() async throws {
        try await withDatabase { database in
            let town = try await SampleTown(database, people: 20)
            for number in 1...4 { try await town.follow(number, by: 0) }
            for number in 1...3 { try await town.follow(10, by: number) }
            for number in 1...4 { try await town.follow(11, by: number) }
            for number in 1...2 { try await town.follow(12, by: number) }
            // Already followed, oneself, or invisible.
            for number in 1...3 {
                try await town.follow(0, by: number)
                try await town.follow(4, by: number)
                try await town.follow(13, by: number)
            }
            try await town.setVisibility(.private, of: 13)
            let found = try await suggestions(for: 0, in: town)
            #expect(found.map(\.name) == [11, 10].map(SampleTown.name))
            #expect(found.allSatisfy { $0.reason == .network })
            // A profile that I may not see does not show whom it follows.
            try await town.setVisibility(.private, of: 1)
            #expect(try await suggestions(for: 0, in: town).map(\.name) == [SampleTown.name(11)])
            try await town.setVisibility(.public, of: 1)
            // Nineteen people.
            try await database.write { try $0.visibility.suspend(userID: SampleTown.name(19)) }
            #expect(try await suggestions(for: 0, in: town).isEmpty)
        }
    }

    @Test("Nobody is suggested twice, and nobody alone gets anything")
    func both() async throws {
        try await withDatabase { database in
            let town = try await SampleTown(database, people: 20)
            for number in 1...3 {
                try await town.follow(number, by: 0)
                try await town.follow(10, by: number)
                try await town.follow(11, by: number)
            }
            for number in [0, 10] { try await listen(number, to: ["Muse"], in: town) }
            let found = try await suggestions(for: 0, in: town)
            #expect(found.map(\.name) == [10, 11].map(SampleTown.name))
            #expect(found.map(\.reason) == [.topArtists(["Muse"]), .network])
        }
        try await withDatabase { database in
            let town = try await SampleTown(database, people: 1)
            try await listen(0, to: ["Muse"], in: town)
            #expect(try await suggestions(for: 0, in: town).isEmpty)
        }
    }

    @Test("The artists of a person are the twenty with the most listens, by folded names")
    func topArtists() {
        var artists = TopArtists()
        for number in 1...30 { artists.add("Artist \(number)", plays: number) }
        for name in ["artist 1", "ARTIST 1"] { artists.add(name, plays: 100) }
        artists.add("", plays: 1_000)
        artists.add("???", plays: 1_000)
        artists.add("Never heard", plays: 0)
        let ranked = artists.ranked
        #expect(ranked.count == TopArtists.capacity)
        #expect(ranked.first?.key == "artist 1" && ranked.first?.name == "Artist 1")
        #expect(ranked.dropFirst().map(\.key) == (12...30).reversed().map { "artist \($0)" })
        #expect(TopArtist(name: String(repeating: "x", count: 5_000))?.key.count == 100)
    }

    @Test("Artists are replaced as a whole, and not written for somebody whose erasure has begun")
    func replacing() async throws {
        try await withDatabase { database in
            let town = try await SampleTown(database, people: 2)
            try await listen(0, to: ["Muse", "Adele"], in: town)
            try await listen(0, to: ["Björk"], in: town)
            let viewer = try #require(try await town.viewer(0))
            let names = try await database.read { try $0.people.artists(of: viewer.key).map(\.name) }
            #expect(names == ["Björk"])
            let readings = try await database.read {
                try $0.people.artistReadings(after: PersonKey(rawValue: 0), limit: 10)
            }
            #expect(readings.map(\.listensChange) == [1, nil])
            try await database.write { try $0.visibility.close(userID: SampleTown.name(1)) }
            try await listen(1, to: ["Muse"], in: town)
            let written = try await database.read { try $0.row("SELECT 1 FROM person_artists WHERE artist = 'Muse'") }
            #expect(written == nil)
        }
    }
}
