import TestProcesses
import Testing

@Suite("Matching names to artists", .timeLimit(.minutes(20)))
struct ArtistMatchingTests {
    @Test("Names in any script, spelling and case find the artist and all events")
    func spellingsOfNames() async throws {
        // The name as typed, as stored, and as in the catalog.
        let names = [
            ("beyonce", "beyonce", "Beyoncé"), ("GUNS N ROSES", "gunsnroses", "Guns N' Roses"),
            ("Florence and the Machine", "florenceandmachine", "Florence + The Machine"),
            ("weeknd", "weeknd", "The Weeknd"), ("The Coldplay", "coldplay", "Coldplay"),
            ("Mumford and Sons", "mumfordandsons", "Mumford & Sons"), ("Sigur Ros", "sigurros", "Sigur Rós"),
            ("die arzte", "diearzte", "Die Ärzte"), ("МУМИЙ ТРОЛЛЬ", "мумиитролль", "Мумий Тролль"),
            ("宇多田ヒカル", "宇多田ヒカル", "宇多田ヒカル"), ("Maneskin", "maneskin", "Måneskin"),
            ("AC DC", "acdc", "AC/DC"), ("Tyler the Creator", "tylerthecreator", "Tyler, The Creator"),
            ("Pink", "pink", "P!NK"), ("bjo\u{308}rk", "bjork", "Björk"),
            ("Nick Cave and the Bad Seeds", "nickcaveandbadseeds", "Nick Cave & The Bad Seeds"),
        ]
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser()
            let search = try await ada.search(names.map(\.0))
            #expect(search.state == "complete")
            for (typed, key, listed) in names {
                #expect(search.status(of: typed) == "complete", "\(typed)")
                let attraction = try #require(
                    try await concerts.upstream.attractionIDs(named: listed).first, "\(listed)")
                #expect(try await concerts.storedAttractionID(ofArtist: key) == attraction, "\(typed)")
                let expected = try await concerts.upstream.eventIDs(ofAttraction: attraction)
                #expect(try await concerts.storedEventIDs(ofArtist: key) == expected, "\(typed)")
                #expect(expected.count > 1)
            }
        }
    }

    @Test("A tribute band is not the artist")
    func tributeBands() async throws {
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser()
            let names = [
                "Pink Floyd", "ABBA", "The Beatles", "Coldplay", "Metallica", "Queens of the Stone Age", "Adele",
                "Imagine Dragons", "Led Zeppelin", "The Smiths",
            ]
            let search = try await ada.search(names)
            #expect(search.state == "complete")
            let shows = try await ada.shows(ofSearch: try #require(search.id))
            for show in shows {
                for word in ["tribute", "mania", "floyd", "bootleg", "songbook", "zep", "smyths", "coldplace"] {
                    #expect(!show.name.lowercased().contains(word), "\(show.name)")
                }
            }
            #expect(shows.filter { $0.artistName == "ABBA" }.allSatisfy { $0.name == "ABBA Voyage" })
            // The artists are known and have no shows: a complete answer without rows.
            for name in ["Pink Floyd", "The Beatles", "Led Zeppelin", "The Smiths"] {
                #expect(search.status(of: name) == "complete", "\(name)")
                #expect(!shows.contains { $0.artistName == name }, "\(name)")
            }
            // A search for the tribute band finds it.
            let tribute = try await ada.search(["The Australian Pink Floyd Show"])
            #expect(tribute.items?.isEmpty == false)
        }
    }

    @Test("Of several namesakes, the linked one is found, otherwise the musician, otherwise the one with most events")
    func artistsOfTheSameName() async throws {
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser()
            let search = try await ada.search(["Genesis", "Bush", "Poison", "America", "Ludovico Einaudi"])
            #expect(search.state == "complete")
            // Each namesake has another property in the catalog.
            for (name, key, shows) in [
                ("Genesis", "genesis", 4), ("Bush", "bush", 5), ("Poison", "poison", 7), ("America", "america", 6),
                ("Ludovico Einaudi", "ludovicoeinaudi", 6),
            ] {
                let attraction = try #require(try await concerts.storedAttractionID(ofArtist: key), "\(name)")
                let expected = try await concerts.upstream.eventIDs(ofAttraction: attraction)
                #expect(expected.count == shows, "\(name)")
                #expect(try await concerts.storedEventIDs(ofArtist: key) == expected, "\(name)")
            }
        }
    }

    @Test("Artists with more shows than paging reaches are complete, alone and together")
    func artistsBeyondPaging() async throws {
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser()
            let names = try await concerts.upstream.artists(.tireless, count: 8)
            let keys = [
                "transsiberianorchestra", "joebonamassa", "andrerieu", "willienelson", "ildivo", "gipsykings",
                "kidzbopkids", "bluemangroup",
            ]
            var expected: [String: Set<String>] = [:]
            for (name, key) in zip(names, keys) {
                let attraction = try #require(try await concerts.upstream.attractionIDs(named: name).first, "\(name)")
                expected[key] = try await concerts.upstream.eventIDs(ofAttraction: attraction)
            }
            #expect(expected["transsiberianorchestra"]?.count ?? 0 > 200)
            #expect(expected.values.reduce(0) { $0 + $1.count } > 1_200)

            func expectAll(_ search: SearchView) async throws {
                #expect(search.state == "complete" && search.warnings.isEmpty)
                for key in keys {
                    #expect(try await concerts.storedEventIDs(ofArtist: key) == expected[key], "\(key)")
                }
            }
            try await expectAll(try await ada.search(names))
            // One call for all attractions has more events than paging reaches.
            try await concerts.age(byHours: 7)
            try await concerts.base.withDatabase { database in
                try await database.write { try $0.run("DELETE FROM concert_subject_events") }
            }
            let search = try await ada.search(names)
            try await expectAll(search)
            let id = try #require(search.id)
            let shows = try await ada.shows(ofSearch: id)
            #expect(shows.count > 1_000 && Set(shows.map(\.id)).count == shows.count)
            #expect(shows == shows.sorted(by: ConcertView.isBefore))
            #expect(try await ada.pages(ofSearch: id, limit: 199).flatMap { $0 } == shows)
            let real = expected.values.reduce(into: Set<String>()) { $0.formUnion($1) }
            #expect(shows.allSatisfy { real.contains($0.id) })
        }
    }
}
