import DomainEvents
import Domains
import Model
import Notes
import Storage
import TestSupport
import Testing

@Suite("The example domain: stored notes")
struct NoteStoreTests {
    @Test("A person sees only their own notes, the newest first, and every note has a change of its own")
    func notesOfAPerson() async throws {
        try await NoteFixture.run { fixture in
            let ada = try await fixture.person("ada").id
            let bob = try await fixture.person("bob").id
            let first = try await fixture.add("one", userID: ada)
            let second = try await fixture.add("two", userID: ada)
            try await fixture.add("of bob", userID: bob)
            #expect(try await fixture.words(userID: ada) == ["two", "one"])
            let changed = try await fixture.database.read {
                try $0.notes.changed(userID: ada, after: first.change, limit: 10)
            }
            #expect(changed.map(\.id) == [second.id])
        }
    }

    @Test("A person can have only so many notes")
    func tooManyNotes() async throws {
        try await NoteFixture.run { fixture in
            let ada = try await fixture.person("ada").id
            try await fixture.database.write { transaction in
                for number in 1...Note.capacity {
                    _ = try transaction.notes.add("\(number)", about: nil, userID: ada, now: .now())
                }
            }
            await #expect(throws: NoteRefusal.tooManyNotes(limit: Note.capacity)) {
                try await fixture.add("one more", userID: ada)
            }
        }
    }

    @Test("Disconnecting a service deletes the person's notes about it, and nobody else's")
    func removedAccount() async throws {
        try await NoteFixture.run { fixture in
            let ada = try await fixture.person("ada").id
            let bob = try await fixture.person("bob").id
            for person in [ada, bob] {
                try await fixture.add("about Spotify", about: .spotify, userID: person)
                try await fixture.add("about nothing", userID: person)
            }
            try await fixture.database.write {
                try $0.publish(AccountRemoved(userID: ada, provider: .spotify, remaining: []))
            }
            #expect(try await fixture.words(userID: ada) == ["about nothing"])
            #expect(try await fixture.words(userID: bob) == ["about nothing", "about Spotify"])
        }
    }

    @Test("Notes are exported with their person's data, and erased with the person")
    func personalRows() async throws {
        try await NoteFixture.run { fixture in
            let ada = try await fixture.person("ada").id
            let bob = try await fixture.person("bob").id
            try await fixture.add("of ada", about: .spotify, userID: ada)
            try await fixture.add("of bob", userID: bob)
            let tables = PersonalTables(of: .tested)
            let table = try #require(tables.all.first { $0.name.description == "notes" })
            guard case .rows(let member, let columns) = table.export else {
                Issue.record("notes are not exported")
                return
            }
            #expect(member.description == "notes")
            let exported = try await fixture.database.read { reader in
                var rows: [[SQLValue]] = []
                _ = try table.forEachExportedRow(
                    of: ada, columns, after: nil, limit: 10, maximumBytes: 65_536, in: reader
                ) { rows.append(Array($0)) }
                return rows
            }
            #expect(exported.map { Array($0[1...2]) } == [[.text("of ada"), .text("spotify")]])

            let writes = SteppedWrites(fixture.database, checkpoints: false)
            #expect(try await tables.eraseRows(of: ada, in: fixture.database, by: writes))
            #expect(try await fixture.words(userID: ada) == [])
            #expect(try await fixture.words(userID: bob) == ["of bob"])
        }
    }
}
