import Synchronization
import TestSupport
import Testing

@testable import Storage

@Suite("Attachments of a batch of writes")
struct BatchAttachmentTests {
    private struct RefusalError: Error {}

    /// Collects words and writes them as one row for each batch.
    private final class Words: BatchAttachment {
        private var (batch, entry): ([String], [String]) = ([], [])
        private var parts: [[String]] = []
        private let told: @Sendable ([String]) -> Void

        init(told: @escaping @Sendable ([String]) -> Void = { _ in }) {
            self.told = told
        }

        func add(_ word: String) { entry.append(word) }

        func entrySucceeded() { (batch, entry) = (batch + entry, []) }
        func entryRolledBack() { (entry, parts) = ([], []) }
        func partBegan() { parts.append(entry) }
        func partEnded(isStored: Bool) {
            guard let before = parts.popLast(), !isStored else { return }
            entry = before
        }
        func finishBatch(in transaction: WriteTransaction) throws {
            guard !batch.isEmpty else { return }
            if batch.contains("unwritable") { throw RefusalError() }
            try transaction.run("INSERT INTO words VALUES (\(batch.joined(separator: " ")))")
        }
        func whenDurable() -> (@Sendable () -> Void)? {
            guard !batch.isEmpty else { return nil }
            return { [told, batch] in told(batch) }
        }
    }

    private func withWords(
        _ body: (_ database: Database, _ words: @Sendable () async throws -> [String]) async throws -> Void
    ) async throws {
        try await withDatabase { database, _ in
            try await database.write { try $0.run("CREATE TABLE words (text TEXT NOT NULL)") }
            try await body(database) {
                try await database.read { try $0.map("SELECT text FROM words ORDER BY text") { try $0["text"] } }
            }
        }
    }

    @Test("are written once, without entries and savepoints that were rolled back")
    func writtenOncePerBatch() async throws {
        try await withWords { database, words in
            try await database.write { transaction in
                func words() -> Words { transaction.attachment(Words.self) { Words() } }
                // The first word is added within a savepoint, which makes the attachment.
                let refusal = try transaction.apart {
                    words().add("undone")
                    let inner = try transaction.apart { words().add("inner") }
                    #expect(inner == nil)
                    throw RefusalError()
                }
                #expect(refusal is RefusalError)
                words().add("one")
                let kept = try transaction.apart {
                    words().add("two")
                    let undone = try transaction.apart {
                        words().add("never")
                        throw RefusalError()
                    }
                    #expect(undone is RefusalError)
                    words().add("three")
                }
                #expect(kept == nil)
            }
            await #expect(throws: RefusalError.self) {
                try await database.write { transaction in
                    transaction.attachment(Words.self) { Words() }.add("failed")
                    throw RefusalError()
                }
            }
            #expect(try await words() == ["one two three"])
        }
    }

    @Test("report a durable batch, and not a lost one")
    func reportedBatches() async throws {
        try await withWords { database, words in
            let told = Collector<[String]>()
            database.attach(Words.self) { Words { told.append($0) } }
            let add: @Sendable (String) -> @Sendable (WriteTransaction) throws -> Void = { word in
                { $0.attachment(Words.self) { Words() }.add(word) }
            }
            try await database.write(add("one"))
            #expect(await told.wait(for: 1) == [["one"]])
            await #expect(throws: RefusalError.self) { try await database.write(add("unwritable")) }
            try await database.write(add("two"))
            #expect(await told.wait(for: 2) == [["one"], ["two"]])
            #expect(try await words() == ["one", "two"])
        }
    }
}
