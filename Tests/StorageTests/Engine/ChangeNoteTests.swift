import Model
import Storage
import Synchronization
import TestSupport
import Testing

@Suite("The change log")
struct ChangeNoteTests {
    private struct RefusalError: Error {}

    private struct LogRow: Equatable {
        var userID: String
        var topic: String
        var change: Int64
    }

    private let first = ChangeTopic("first")
    private let second = ChangeTopic("second")

    private func log(_ database: Database) async throws -> [LogRow] {
        try await database.read { reader in
            try reader.rows("SELECT user_id, topic, change FROM change_log ORDER BY user_id, topic").map {
                LogRow(userID: try $0["user_id"], topic: try $0["topic"], change: try $0["change"])
            }
        }
    }

    @Test("has a row for each person and topic, with the number of the transaction's last change")
    func rowsOfTheLog() async throws {
        try await withDatabase { database, _ in
            let told = Collector<Set<String>>()
            database.onChange { told.append($0) }
            let number = try await database.write { [first, second] transaction in
                _ = try transaction.nextChange()
                transaction.recordChange(of: ["a", "b", "a"], topic: first)
                transaction.recordChange(of: ["a"], topic: second)
                transaction.recordChange(of: [String](), topic: second)
                return try transaction.nextChange()
            }
            #expect(
                try await log(database) == [
                    .init(userID: "a", topic: "first", change: number),
                    .init(userID: "a", topic: "second", change: number),
                    .init(userID: "b", topic: "first", change: number),
                ])
            #expect(await told.wait(for: 1) == [["a", "b"]])
            // A transaction without numbered changes gets a number above all earlier ones.
            try await database.write { [first] in $0.recordChange(of: ["b"], topic: first) }
            #expect(try await log(database).last == .init(userID: "b", topic: "first", change: number + 1))
            #expect(try await database.read { try $0.lastChange() } == number + 1)
            #expect(await told.wait(for: 2).last == ["b"])
        }
    }

    @Test("reports a topic's people only to those who ask about it, in this process and through the table")
    func ofOneTopic() async throws {
        try await withDatabase { database, _ in
            let told = Collector<Set<String>>()
            database.onChange(of: second) { told.append($0) }
            let before = try await database.write { [first] transaction in
                transaction.recordChange(of: ["a"], topic: first)
                return try transaction.nextChange()
            }
            try await database.write { [first, second] transaction in
                transaction.recordChange(of: ["a", "b"], topic: first)
                transaction.recordChange(of: ["b", "c"], topic: second)
            }
            #expect(await told.wait(for: 1) == [["b", "c"]])
            let people = try await database.read { [first, second] reader in
                try [first, second].map { try reader.people(changedIn: $0, after: before) }
            }
            #expect(people == [["a", "b"], ["b", "c"]])
        }
    }

    @Test("leaves out rolled-back entries, alone and among others")
    func rolledBack() async throws {
        try await withDatabase { database, _ in
            let told = Collector<Set<String>>()
            database.onChange { told.append($0) }
            try await database.write { try $0.run("CREATE TABLE notes (id INTEGER PRIMARY KEY)") }
            await #expect(throws: RefusalError.self) {
                try await database.write { [first] transaction in
                    transaction.recordChange(of: ["undone"], topic: first)
                    throw RefusalError()
                }
            }
            // A plain entry that fails makes its whole batch run again; each entry reports its changes once more.
            let hold = Gate()
            database.enqueueWrite { _ in
                hold.wait()
            } completion: { _ in
            }
            let ends = Collector<Bool>()
            for (user, id) in [("a", 1), ("b", 1), ("c", 2)] {
                database.enqueueWrite(isPlain: true) { [first] transaction in
                    transaction.recordChange(of: [user], topic: first)
                    return try transaction.execute("INSERT INTO notes (id) VALUES (\(id))")
                } completion: { (result: Result<Int, any Error>) in
                    ends.append((try? result.get()) != nil)
                }
            }
            hold.open()
            #expect(await ends.wait(for: 3).count { $0 } == 2)
            // The changes of a batch are reported before the next batch.
            try await database.write { [first] in $0.recordChange(of: ["end"], topic: first) }
            let everybody = await told.wait { $0.contains(["end"]) }
            #expect(everybody.reduce(into: Set<String>()) { $0.formUnion($1) } == ["a", "c", "end"])
            #expect(try await log(database).map(\.userID) == ["a", "c", "end"])
        }
    }

    @Test("finds the people of whom it has a change since a number")
    func peopleWithChanges() async throws {
        try await withDatabase { database, _ in
            @Sendable func changes(after: Int64, of people: Set<String>) async throws -> [String: Int64] {
                try await database.read { try $0.loggedChanges(of: people, after: after) }
            }
            let everybody: Set<String> = ["a", "b", "c"]
            #expect(try await changes(after: 0, of: everybody) == [:])
            for person in ["a", "b"] {
                try await database.write { [first] in $0.recordChange(of: [person], topic: first) }
            }
            #expect(try await changes(after: 0, of: everybody) == ["a": 1, "b": 2])
            #expect(try await changes(after: 1, of: everybody) == ["b": 2])
            #expect(try await changes(after: 0, of: ["a", "c"]) == ["a": 1])
            #expect(try await changes(after: 2, of: everybody) == [:])
        }
    }
}
