import Model
import TestSupport
import Testing

@testable import Library
@testable import LibraryWriting
@testable import Storage

@Suite("Regrouping libraries under the current rules")
struct RegroupingTests {
    /// Creates songs at both sources, which are separate tracks in a library of earlier rules.
    private func fill(_ library: TestLibrary, count: Int) async throws {
        func song(_ id: String, _ number: Int) -> SourceTrack {
            .made(id, "Title \(number)", by: "Artist \(number % 7)", ms: 100_000 + 5_000 * number)
        }
        try await library.save((0..<count).map { song("i.\($0)", $0) }, .appleMusic)
        try await library.forgetKeys()
        try await library.save((0..<count).map { song("s\($0)", $0) }, .spotify)
        #expect(try await library.songs().count == 2 * count)
        try await library.forgetKeys()
    }

    @Test("A library of earlier rules is regrouped, and a second run changes nothing")
    func libraryOfEarlierRules() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            try await fill(library, count: 40)
            var due = try await database.read { try $0.trackIdentity.librariesToRegroup(limit: 10).map(\.libraryID) }
            #expect(due == [library.libraryID])
            let merged = try await library.regroup()
            #expect(merged == 40)
            let songs = try await library.songs()
            #expect(songs.count == 40 && songs.allSatisfy { $0.count == 2 })
            try await library.expectSound()
            due = try await database.read { try $0.trackIdentity.librariesToRegroup(limit: 10).map(\.libraryID) }
            #expect(due.isEmpty)
            let rows = try await library.rows()
            try await library.forgetKeys()
            let again = try await library.regroup()
            #expect(again == 0)
            let after = try await library.rows()
            #expect(after == rows)
        }
    }

    @Test("A run that ends after any step is continued by the next one")
    func interruptedRun() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            try await fill(library, count: 30)
            var merged = 0
            while true {
                // Each run performs a single step.
                var regrouping = LibraryRegrouping(
                    database: database, libraryID: library.libraryID, userID: library.userID)
                let step = try await regrouping.step { body in (try await database.write { try body($0) }, .zero) }
                guard let step else { break }
                merged += step
            }
            #expect(merged == 30)
            try await library.expectSound()
        }
    }

    @Test("Slow commits do not make the steps smaller and smaller")
    func slowCommits() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            try await fill(library, count: 40)
            var counts: [Int] = []
            var regrouping = LibraryRegrouping(
                database: database, libraryID: library.libraryID, userID: library.userID)
            while try await regrouping.step({ body in
                let effect = try await database.write { try body($0) }
                if effect.merged > 0 { counts.append(effect.count) }
                return (effect, .seconds(1))
            }) != nil {}
            #expect(counts == [20, 20, 20, 20])
            try await library.expectSound()
        }
    }

    @Test("Source tracks with nothing but their ISRC in common are examined together")
    func equalISRCs() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            // The artists' names yield different keys.
            try await library.save([.made("i.1", by: "Radiohead", ms: 284_000)], .appleMusic)
            try await library.save([.made("s1", by: "On a Friday", ms: 284_000)], .spotify)
            #expect(try await library.songs().count == 2)
            try await database.write { try $0.run("UPDATE library_source_tracks SET isrc = 'GBAYE9700106'") }
            try await library.forgetKeys()
            let merged = try await library.regroup()
            #expect(merged == 1)
            #expect(try await library.songs() == [["i.1", "s1"]])
            try await library.expectSound()
        }
    }

    @Test("A user's setting decides whether a remaster is the same song, and Apple Music's track survives")
    func settingForRemasters() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            let set: @Sendable (Bool) async throws -> Bool = { areSame in
                try await database.write {
                    try $0.trackIdentity.setRemastersAreSame(
                        areSame, userID: library.userID, now: TestLibrary.moment(3))
                }
            }
            let (first, again) = (try await set(false), try await set(false))
            #expect(first && !again)
            try await library.regroup()
            try await library.save([.made("s1", "Airbag - 2017 Remaster", ms: 284_000)], .spotify)
            try await library.save([.made("i.1", ms: 284_000)], .appleMusic)
            #expect(try await library.songs() == [["i.1"], ["s1"]])
            try await library.expectSound()
            let (apple, spotify) = (try await library.track(of: "i.1"), try await library.track(of: "s1"))
            _ = try await set(true)
            let merged = try await library.regroup()
            #expect(merged == 1)
            #expect(try await library.songs() == [["i.1", "s1"]])
            // The oldest track was Spotify's.
            #expect(try await library.track(of: "i.1") == apple)
            let survivor = try await database.read {
                try $0.trackIdentity.survivor(of: spotify, userID: library.userID)
            }
            #expect(survivor == apple)
            _ = try await set(false)
            try await library.regroup()
            #expect(try await library.songs() == [["i.1"], ["s1"]])
            #expect(try await library.track(of: "s1") == spotify)
            try await library.expectSound()
        }
    }

    @Test("A setting that changes between examining and writing restarts the stage")
    func settingMeanwhile() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            try await library.save([.made("s1", "Airbag - 2017 Remaster", ms: 284_000)], .spotify)
            try await library.save([.made("i.1", ms: 284_000)], .appleMusic)
            try await library.forgetKeys()
            var regrouping = LibraryRegrouping(
                database: database, libraryID: library.libraryID, userID: library.userID)
            var isChanged = false
            while true {
                let step = try await regrouping.step { body in
                    let progress = try await database.read {
                        try $0.trackIdentity.regroupProgress(ofLibrary: library.libraryID)
                    }
                    if progress?.stage == .group, !isChanged {
                        isChanged = true
                        try await database.write {
                            try $0.trackIdentity.setRemastersAreSame(false, userID: library.userID, now: .now())
                        }
                    }
                    return (try await database.write { try body($0) }, .zero)
                }
                if step == nil { break }
            }
            #expect(isChanged)
            #expect(try await library.songs() == [["i.1"], ["s1"]])
            try await library.expectSound()
        }
    }
}
