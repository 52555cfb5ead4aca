import Foundation
import Model
import Storage
import TestSupport
import Testing

@testable import Listening

@Suite("Listens do not depend on the order of the reports", .timeLimit(.minutes(10)))
struct ListenHistoryTests {
    /// Observations of one evening from several sources, with loops, restarts, times to the minute, ends and similar
    /// names.
    private static func evening(_ random: inout SeededRandom) -> [NewObservation] {
        var observations: [NewObservation] = []
        var time = 0.0
        for _ in 0..<14 {
            let number = Int.random(in: 0..<4, using: &random)
            let length = [40.0, 180, 200, 600][number]
            let (title, artist) = [
                ("One", "Ada"), ("Two (Live)", "Bob & Eve"), ("東京", "Ada"), ("Two", "Bob"),
            ][number]
            let jitter = Double.random(in: -20...20, using: &random).rounded()
            if Bool.random(using: &random) {
                observations.append(
                    .play(title, by: artist, at: time, duration: Int(length) * 1_000, client: "one"))
            }
            if Bool.random(using: &random) {
                observations.append(
                    .play(title, by: artist, at: time + jitter, duration: Int(length) * 1_000, client: "two"))
            }
            if Bool.random(using: &random) {
                observations.append(
                    .play(
                        title, by: artist, at: time + length, .spotifyHistory, stamp: .end,
                        played: Int(length) * 1_000, duration: nil, spotifyID: "id\(number)"))
            }
            if Bool.random(using: &random) {
                observations.append(
                    .play(
                        title, by: artist, at: ((time + length) / 60).rounded(.down) * 60, .spotifyAccountData,
                        stamp: .end, precision: .minute, played: Int(length) * 1_000, duration: nil))
            }
            time += Bool.random(using: &random) ? length : length + Double.random(in: 0...900, using: &random).rounded()
        }
        return observations
    }

    @Test("Any order and any batches lead to the same listens, and removing a source leaves what the others report")
    func anyOrderOfBatches() async throws {
        try await withDatabase { database, _ in
            for seed in 0..<15 {
                var random = SeededRandom(seed: UInt64(seed))
                let observations = Self.evening(&random)
                let inOrder = try await TestHistory.new(in: database, name: "a\(seed)")
                try await inOrder.record(observations)
                let expected = try await inOrder.shown()

                let shuffled = try await TestHistory.new(in: database, name: "b\(seed)")
                var rest = observations.shuffled(using: &random)[...]
                while !rest.isEmpty {
                    let part = rest.prefix(Int.random(in: 1...4, using: &random))
                    rest = rest.dropFirst(part.count)
                    try await shuffled.record(Array(part) + (Bool.random(using: &random) ? Array(part) : []))
                }
                #expect(try await shuffled.shown() == expected, "seed \(seed)")

                let source = ListenSource.spotifyHistory
                let without = try await TestHistory.new(in: database, name: "c\(seed)")
                try await without.record(observations.filter { $0.source != source })
                try await shuffled.remove(.source(source))
                #expect(try await shuffled.shown() == without.shown(), "seed \(seed) without \(source)")
                let counted = try await database.read { try $0.listening.count(userID: shuffled.userID) }
                #expect(try await shuffled.shown().count == counted)
            }
        }
    }

    @Test("A listen takes at most 300 bytes on disk, with its observation and all indexes")
    func sizeOfAListen() async throws {
        try await withDatabase { database, folder in
            let history = try await TestHistory.new(in: database)
            var random = SeededRandom(seed: 7)
            func bytes() async throws -> Int {
                _ = try await database.truncateLogAfterReads()
                let facts = try FileManager.default.attributesOfItem(atPath: folder.file("test.sqlite"))
                return (facts[.size] as? NSNumber)?.intValue ?? 0
            }
            let before = try await bytes()
            let (count, songs) = (9_000, 1_500)
            for start in stride(from: 0, to: count, by: 500) {
                let part = (start..<(start + 500)).map { index in
                    let song = Int.random(in: 0..<songs, using: &random)
                    return NewObservation.play(
                        "The Title of Song Number \(song)", by: "Artist Number \(song / 9)", at: Double(index) * 240,
                        .spotifyHistory, stamp: .end, played: 150_000 + index % 90_000, duration: nil,
                        album: "The Album Number \(song / 11)", spotifyID: "4uLU6hMCjMI75M1A2tKU\(song)")
                }
                try await history.record(part, import: LibraryID(key: 1 << 40))
            }
            let each = Double(try await bytes() - before) / Double(count)
            #expect(each <= 300, "\(each) bytes a listen")
        }
    }
}
