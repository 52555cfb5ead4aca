import ArgumentParser
import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Model
import Notes
import NotesCommands
import Storage
import TestSupport
import Testing

@testable import Composition
@testable import Gateway
@testable import Jobs
@testable import NotesWorker

@Suite("The example domain: notes in the gateway and in workers", .timeLimit(.minutes(5)))
struct NoteRouteTests {
    private struct NoteView: Decodable {
        var words: String
        var provider: String?
    }

    private struct ListView: Decodable {
        var items: [NoteView]
    }

    private static func decode<Value: Decodable>(_: Value.Type, _ response: TestResponse) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(response.body.readableBytesView))
    }

    @Test("A note that is posted is in its person's list, and in nobody else's")
    func postedNote() async throws {
        try await NoteFixture.run { fixture in
            let (ada, bob) = (try await fixture.person("ada"), try await fixture.person("bob"))
            try await fixture.withClient { client in
                let added = try await client.execute(
                    uri: "/v1/notes", method: .post, headers: ada.headers,
                    body: ByteBuffer(string: #"{"words":"The live take is better.","provider":"spotify"}"#))
                #expect(added.status == .created)
                #expect(try Self.decode(NoteView.self, added).provider == "spotify")
                let list = try await client.execute(uri: "/v1/notes", method: .get, headers: ada.headers)
                #expect(try Self.decode(ListView.self, list).items.map(\.words) == ["The live take is better."])
                let other = try await client.execute(uri: "/v1/notes", method: .get, headers: bob.headers)
                #expect(try Self.decode(ListView.self, other).items.isEmpty)
                #expect(try await client.execute(uri: "/v1/notes", method: .get).status == .unauthorized)
            }
        }
    }

    @Test(
        "A note without words, about an unknown service or with another member is refused",
        arguments: [
            "{}", #"{"words":""}"#, #"{"words":1}"#, #"{"words":"a","provider":"phonograph"}"#,
            #"{"words":"a","title":"b"}"#,
        ])
    func refusedNotes(body: String) async throws {
        try await NoteFixture.run { fixture in
            let headers = try await fixture.person("ada").headers
            try await fixture.withClient { client in
                let response = try await client.execute(
                    uri: "/v1/notes", method: .post, headers: headers, body: ByteBuffer(string: body))
                #expect(response.status == .unprocessableContent)
                #expect(String(buffer: response.body).contains(#""code":"invalidField""#))
            }
        }
    }

    @Test("A person with too many notes gets the domain's own code")
    func tooManyNotes() async throws {
        try await NoteFixture.run { fixture in
            let ada = try await fixture.person("ada")
            try await fixture.database.write { transaction in
                for number in 1...Note.capacity {
                    _ = try transaction.notes.add("\(number)", about: nil, userID: ada.id, now: .now())
                }
            }
            try await fixture.withClient { client in
                let response = try await client.execute(
                    uri: "/v1/notes", method: .post, headers: ada.headers,
                    body: ByteBuffer(string: #"{"words":"one more"}"#))
                #expect(response.status == .conflict)
                #expect(String(buffer: response.body).contains(#""code":"tooManyNotes""#))
            }
        }
    }

    @Test("Event streams read a person's new notes, in the form of the list")
    func streamedNotes() async throws {
        try await NoteFixture.run { fixture in
            let ada = try await fixture.person("ada").id
            let note = try await fixture.add("one", userID: ada)
            let source = try #require(fixture.notes?.eventSources.first)
            let changes = try await fixture.database.read { try source.changes($0, ada, note.change - 1, 10) }
            #expect(changes.map(\.number) == [note.change])
            #expect(changes.allSatisfy { String(decoding: $0.data ?? [], as: UTF8.self).contains(#""words":"one""#) })
            let later = try await fixture.database.read { try source.changes($0, ada, note.change, 10) }
            #expect(later.isEmpty)
        }
    }

    @Test("The upkeep step deletes old notes, and keeps the others")
    func deletionOfOldNotes() async throws {
        try await NoteFixture.run { fixture in
            let ada = try await fixture.person("ada").id
            for days in [400, 300] {
                let moment = Timestamp.now().advanced(by: .seconds(-86_400 * days))
                try await fixture.add("\(days) days old", userID: ada, now: moment)
            }
            guard case .pruning(let run)? = fixture.notes?.upkeepSteps.first?.work else {
                Issue.record("there is no such step")
                return
            }
            try await run(.unguarded(.now()))
            #expect(try await fixture.words(userID: ada) == ["300 days old"])
        }
    }

    @Test("The site has the domain's page with its link, and the command line its command")
    func pageAndCommand() async throws {
        try await NoteFixture.run { fixture in
            let pages = SitePages(fixture.application.domains.flatMap(\.pages))
            #expect(pages.page(at: "/notes") == "/notes" && pages.modules["/notes"] == "notes/notes.js")
            let table = String(decoding: pages.index.plain.bytes, as: UTF8.self)
            #expect(table.contains(#""section":"library","link":{"label":"Notes","icon":"pencil"}"#))
        }
        let commands = try #require([DomainParts].notes.first?.commands[.use])
        #expect(commands.map { $0.configuration.commandName } == ["notes"])
        #expect(throws: Never.self) { try NotesCommand.parseAsRoot(["count"]) }
    }

    @Test("People may submit the job, and its handler counts their notes and words")
    func submittedCount() async throws {
        try await NoteFixture.run { fixture in
            let ada = try await fixture.person("ada")
            try await fixture.add("two words", userID: ada.id)
            try await fixture.add("one", userID: ada.id)
            try await fixture.withClient { client in
                let response = try await client.execute(
                    uri: "/v1/jobs", method: .post, headers: ada.headers,
                    body: ByteBuffer(string: #"{"kind":"notes.count"}"#))
                #expect(response.status == .accepted)
            }
            let kind = TypedJobKind.notesCount
            let job = AssignedJob(
                run: JobRun(jobID: "j", run: 1), userID: ada.id, kind: kind.kind.name, version: 1, attempt: 1,
                maximumAttempts: 1, priority: 0, payload: try kind.text(ofPayload: NoPayload()))
            let reply = try await JobHandler.notesCount(database: fixture.database).run(
                JobContext(job: job, report: { _ in }, checkpoints: nil))
            #expect(try kind.result(from: reply.result) == NoteCountResult(notes: 2, words: 3))
        }
    }
}
