import Identity
import Model
import TestSupport
import Testing

@testable import Library
@testable import LibraryWriting

/// When the setting changes, only what it can affect is examined. The result is compared with a library that had the
/// setting from the start, and with applying the rules to the whole library (`expectSound`).
@Suite("Whether remasters are the same songs", .timeLimit(.minutes(5)))
struct RemasterSettingTests {
    /// Creates songs in groups of several kinds: with and without remasters, with remasters only, and with a remaster
    /// that links others through its ISRC, its artists or its album.
    private static func catalog(_ random: inout SeededRandom) -> [(source: MusicSource, track: SourceTrack)] {
        let versions = [
            "", "", "", " - 2017 Remaster", " (Remastered)", " [Remasterizado 2009]", " (2011 Remastered Version)",
            " (Live)", " - Remastered / Live", " (リマスター)",
        ]
        let songs = ["Lucky", "Airbag", "Let Down", "Remaster", "Remastered Heart", "幸運", "Élan", "Nude"]
        let (artists, albums) = (["Radiohead", "Radiohead & Thom", "Thom"], ["OK Computer", "In Rainbows", "Best Of"])
        return (0..<60).map { number in
            let source: MusicSource = number.isMultiple(of: 2) ? .appleMusic : .spotify
            let song = songs.randomElement(using: &random) ?? ""
            var track = SourceTrack.made(
                "\(source.number)-\(number)", song + (versions.randomElement(using: &random) ?? ""),
                by: artists.randomElement(using: &random) ?? "", on: albums.randomElement(using: &random) ?? "")
            track.durationMs = [nil, 200_000, 201_900, 203_800, 260_000].randomElement(using: &random) ?? nil
            let code = Int.random(in: 0..<40, using: &random)
            track.isrc = code < 12 ? "GBAYE97000\(code + 10)" : nil
            track.addedAt = TestLibrary.moment(Int64(number))
            return (source, track)
        }
    }

    private static func save(
        _ catalog: [(source: MusicSource, track: SourceTrack)], in library: TestLibrary
    ) async throws {
        for source in MusicSource.services {
            let tracks = catalog.filter { $0.source == source }.map(\.track)
            if !tracks.isEmpty { try await library.save(tracks, source) }
        }
    }

    @Test("A changed setting yields the same library as one that had it from the start", arguments: 0..<8)
    func changedSetting(seed: Int) async throws {
        var random = SeededRandom(seed: UInt64(seed))
        let catalog = Self.catalog(&random)
        var expected: [Bool: [String]] = [:]
        for areSame in [true, false] {
            try await withDatabase { database, _ in
                let library = try await TestLibrary.new(in: database)
                try await library.set(remastersAreSame: areSame)
                try await library.regroup()
                try await Self.save(catalog.shuffled(using: &random), in: library)
                expected[areSame] = try await library.identityState()
            }
        }
        #expect(expected[true] != expected[false], "seed \(seed)")
        let pages = catalog.shuffled(using: &random)
        var ids: [[String]] = []
        for isWhole in [false, true] {
            var found: [String] = []
            try await withDatabase { database, _ in
                let library = try await TestLibrary.new(in: database)
                try await Self.save(pages, in: library)
                for areSame in [false, true, false, true] {
                    try await library.set(remastersAreSame: areSame)
                    if isWhole { try await library.makeDue(.group) }
                    try await library.regroup()
                    let state = try await library.identityState()
                    #expect(state == expected[areSame], "seed \(seed), \(areSame)")
                    try await library.expectSound("seed \(seed), \(areSame)")
                    found += try await library.idState()
                }
            }
            ids.append(found)
        }
        // The songs keep the same ids as when the whole library is examined.
        #expect(ids[0] == ids[1], "seed \(seed)")
    }

    @Test("Killed runs, pages and decisions in the meantime do not change the result", arguments: 0..<8)
    func interruptedRuns(seed: Int) async throws {
        try await withDatabase { database, _ in
            var random = SeededRandom(seed: UInt64(100 + seed))
            let library = try await TestLibrary.new(in: database)
            let catalog = Self.catalog(&random)
            try await Self.save(Array(catalog.dropFirst(10)), in: library)
            for round in 0..<8 {
                try await library.set(remastersAreSame: !round.isMultiple(of: 2))
                // The page of 60 creates the 10 that are new, and repeats the others.
                var pages = [catalog, Array(catalog.shuffled(using: &random).prefix(8))]
                var run = LibraryRegrouping(database: database, libraryID: library.libraryID, userID: library.userID)
                while try await run.step({ body in (try await database.write { try body($0) }, .seconds(1)) }) != nil {
                    switch Int.random(in: 0..<6, using: &random) {
                    case 0, 1:
                        run = LibraryRegrouping(
                            database: database, libraryID: library.libraryID, userID: library.userID)
                    case 2: if let page = pages.popLast() { try await Self.save(page, in: library) }
                    case 3 where round > 2: try await library.decide(&random)
                    case 4 where round > 4:
                        try await library.set(remastersAreSame: Bool.random(using: &random))
                    default: break
                    }
                }
                try await library.expectSound("seed \(seed), round \(round)")
            }
        }
    }

    @Test("Only groups with both remasters and other versions are examined")
    func examinedGroups() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            let spotify: [SourceTrack] = [
                .made("alone", "Alone - 2017 Remaster"), .made("r1", "Both - 2017 Remaster"),
                .made("r2", "Both (Remastered)"), .made("m1", "Mixed (Remastered)"), .made("p1", "Plain"),
                .made("c1", "Coded (Remastered)", by: "On a Friday", isrc: "GBAYE9700106"),
            ]
            let apple: [SourceTrack] = [
                .made("m2", "Mixed"), .made("p2", "Plain"), .made("c2", "Named Anew", isrc: "GBAYE9700106"),
            ]
            try await library.save(spotify, .spotify)
            try await library.save(apple, .appleMusic)
            let names = Dictionary(
                uniqueKeysWithValues: try await library.tracks().flatMap(\.parts).map { ($0.id, $0.track.sourceID) })
            let groups = { (selection: LinkedSourceTracks.Selection) in
                var linked = try await LinkedSourceTracks(
                    selection, ofLibrary: library.libraryID, in: database)
                return linked.take(.max).map { group in group.compactMap { names[$0] }.sorted().joined(separator: " ") }
                    .sorted()
            }
            let all = try await groups(.all)
            #expect(all == ["alone", "c1 c2", "m1 m2", "p1 p2", "r1 r2"])
            let mixed = try await groups(.withRemasters)
            #expect(mixed == ["c1 c2", "m1 m2"])
        }
    }

    @Test("A library that is due for other reasons is examined completely, whatever the setting", arguments: [0, 1, 2])
    func dueAnyway(stage: Int) async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            // One song without a remaster, in two tracks, as a library of earlier rules may have it.
            try await library.save([.made("i.1", ms: 284_000)], .appleMusic)
            try await library.forgetKeys()
            try await library.save([.made("s1", ms: 284_000)], .spotify)
            #expect(try await library.songs() == [["i.1"], ["s1"]])
            try await library.forgetKeys()
            var run = LibraryRegrouping(database: database, libraryID: library.libraryID, userID: library.userID)
            let wanted = try #require(RegroupStage(rawValue: stage))
            while try await database.read({ try $0.trackIdentity.regroupProgress(ofLibrary: library.libraryID) })?.stage
                != wanted
            {
                _ = try await run.step { body in (try await database.write { try body($0) }, .zero) }
            }
            try await library.set(remastersAreSame: false)
            try await library.set(remastersAreSame: true)
            try await library.regroup()
            #expect(try await library.songs() == [["i.1", "s1"]])
            try await library.expectSound()
        }
    }
}
