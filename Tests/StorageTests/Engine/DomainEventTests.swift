import Model
import TestSupport
import Testing

@testable import Storage

@Suite("Events between domains")
struct DomainEventTests {
    private struct RefusalError: Error {}

    private struct NoteWritten: DomainEvent {
        var text: String
    }

    private struct NoteRead: DomainEvent {
        typealias Context = [String]

        var text: String
    }

    private struct NoteForgotten: DomainEvent {}

    private func withNotes(
        _ subscribers: [EventSubscriber],
        _ body: (_ database: Database, _ notes: @Sendable () async throws -> [String]) async throws -> Void
    ) async throws {
        try await withDatabase { database, _ in
            try await database.write {
                try $0.run("CREATE TABLE notes (number INTEGER PRIMARY KEY, text TEXT NOT NULL)")
            }
            database.register(subscribers)
            try await body(database) {
                try await database.read { try $0.map("SELECT text FROM notes ORDER BY number") { try $0["text"] } }
            }
        }
    }

    private func noting(_ prefix: String) -> EventSubscriber {
        EventSubscriber(NoteWritten.self) { note, transaction in
            try transaction.run("INSERT INTO notes (text) VALUES (\(prefix + note.text))")
        }
    }

    @Test("are handled in the order of registration, in the transaction that publishes them")
    func orderOfSubscribers() async throws {
        let other = EventSubscriber(NoteForgotten.self) { _, transaction in try transaction.run("DELETE FROM notes") }
        try await withNotes([noting("first "), other, noting("second ")]) { database, notes in
            try await database.write { transaction in
                try transaction.publish(NoteWritten(text: "a"))
                let found = try transaction.map("SELECT text FROM notes ORDER BY number") { try $0["text"] as String }
                #expect(found == ["first a", "second a"])
                try transaction.run("INSERT INTO notes (text) VALUES ('last')")
            }
            #expect(try await notes() == ["first a", "second a", "last"])
        }
    }

    @Test("are rolled back with the transaction when a subscriber fails, and later subscribers are not called")
    func failingSubscriber() async throws {
        let called = Collector<String>()
        let failing = EventSubscriber(NoteWritten.self) { note, _ in
            if note.text == "refused" { throw RefusalError() }
        }
        let last = EventSubscriber(NoteWritten.self) { note, _ in called.append(note.text) }
        try await withNotes([noting(""), failing, last]) { database, notes in
            await #expect(throws: RefusalError.self) {
                try await database.write { transaction in
                    try transaction.run("INSERT INTO notes (text) VALUES ('own')")
                    try transaction.publish(NoteWritten(text: "refused"))
                }
            }
            #expect(try await notes() == [])
            #expect(called.elements.isEmpty)

            // Within a savepoint, the publisher may go on without what the event caused.
            try await database.write { transaction in
                let refusal = try transaction.apart { try transaction.publish(NoteWritten(text: "refused")) }
                #expect(refusal is RefusalError)
                try transaction.publish(NoteWritten(text: "kept"))
            }
            #expect(try await notes() == ["kept"])
            #expect(called.elements == ["kept"])
        }
    }

    @Test("let subscribers change what the publisher lends")
    func lentContext() async throws {
        let reading = ["one", "two"].map { name in
            EventSubscriber(NoteRead.self) { note, _, readers in readers.append("\(name) \(note.text)") }
        }
        try await withNotes(reading) { database, _ in
            let readers = try await database.write { transaction in
                var readers = ["none"]
                try transaction.publish(NoteRead(text: "a"), with: &readers)
                return readers
            }
            #expect(readers == ["none", "one a", "two a"])
        }
    }

    @Test("have no effect without a subscriber")
    func noSubscribers() async throws {
        try await withNotes([noting("")]) { database, notes in
            let readers = try await database.write { transaction in
                try transaction.publish(NoteForgotten())
                var readers: [String] = []
                try transaction.publish(NoteRead(text: "a"), with: &readers)
                return readers
            }
            #expect(try await notes() == [] && readers == [])
        }
        try await withDatabase { database, _ in
            try await database.write { try $0.publish(NoteWritten(text: "a")) }
        }
    }
}
