import Contracts
import Model
import Storage
import TestSupport
import Testing

@testable import Previews

@Suite("Stored previews")
struct PreviewStoreTests {
    @Test("An answer serves everybody who asks the same, for some days only")
    func lifetimeOfAnswers() async throws {
        try await withDatabase { database, _ in
            let song = PreviewQuestion(title: "Río", artist: "Air", durationMs: 1_000)
            let same = PreviewQuestion(title: "rio", artist: "AIR", durationMs: 1_000)
            let other = PreviewQuestion(title: "Rio", artist: "Air", durationMs: 2_000)
            let now = Timestamp.now()
            try await database.write { try $0.previews.put(StoredPreview(url: "u", foundAt: now), to: song) }
            try await database.write { try $0.previews.put(StoredPreview(url: nil, foundAt: now), to: other) }
            func answer(_ question: PreviewQuestion, days: Int) async throws -> StoredPreview? {
                try await database.read {
                    try $0.previews.answer(to: question, at: now.advanced(by: .seconds(days * 86_400)))
                }
            }
            #expect(try await answer(same, days: 6)?.url == "u")
            #expect(try await answer(same, days: 8) == nil)
            #expect(try await answer(other, days: 1) == StoredPreview(url: nil, foundAt: now))
            #expect(try await answer(other, days: 3) == nil)
        }
    }

    @Test("Answers beyond the capacity, oldest first, and those that are too old are deleted")
    func deletedAnswers() async throws {
        try await withDatabase { database, _ in
            @Sendable func question(_ number: Int) -> PreviewQuestion {
                PreviewQuestion(title: "\(number)", artist: "Air")
            }
            let start = Timestamp(microseconds: 1_000_000_000_000)
            try await database.write { transaction in
                for number in 1...5 {
                    let at = start.advanced(by: .seconds(number))
                    try transaction.previews.put(StoredPreview(url: "\(number)", foundAt: at), to: question(number))
                }
            }
            #expect(try await database.write { try $0.previews.limit(to: 4, atOnce: 10) } == 1)
            let cutoff = PruningTime.unguarded(start.advanced(by: .seconds(4)))
            #expect(try await database.write { try $0.previews.prune(foundBefore: cutoff, limit: 10) } == 2)
            let kept = try await database.read { reader in
                try (1...5).filter { try reader.previews.answer(to: question($0), at: start) != nil }
            }
            #expect(kept == [4, 5])
        }
    }
}
