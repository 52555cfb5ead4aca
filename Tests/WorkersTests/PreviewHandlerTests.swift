import Contracts
import Model
import Previews
import PreviewsWorker
import Storage
import Testing

@testable import UpstreamSimulator
@testable import Workers

@Suite("The handler of previews", .timeLimit(.minutes(5)))
struct PreviewHandlerTests {
    /// How many times iTunes was asked.
    private func calls(_ fixture: WorkerFixture) -> Int { fixture.simulator.itunes.recorder.log.entries.count }

    @Test("A song's preview is found by name or id, and iTunes is asked once for everybody")
    func foundPreview() async throws {
        try await WorkerFixture.run { fixture in
            try await fixture.withWorker("sync-worker") { process in
                let catalog = fixture.simulator.recordings.catalog
                let documents = ITunesDocuments(catalog: catalog, storefront: "us")
                let entry = try #require(
                    (0..<400).lazy.compactMap { Entry.all(of: $0).first }.first { entry in
                        entry.version == .original && documents.hasPreview(entry)
                            && catalog.isAvailable(entry.recording, in: "us")
                    })
                var question = PreviewQuestion(
                    title: catalog.title(of: entry, on: .apple), artist: catalog.appleArtistName(of: entry),
                    durationMs: catalog.duration(of: entry, on: .apple))
                let found = try await fixture.run(.previewsFind, question, by: .previews, of: process)
                #expect(found.url?.hasPrefix(fixture.origin + "/previews/") == true, "\(question)")
                let before = calls(fixture)
                let again = try await fixture.run(.previewsFind, question, by: .previews, of: process)
                #expect(again == found && calls(fixture) == before)

                question.appleMusicID = documents.apple.id(of: entry)
                let exact = try await fixture.run(.previewsFind, question, by: .previews, of: process)
                #expect(exact.url == "\(fixture.origin)/previews/\(documents.apple.id(of: entry)).wav")
            }
        }
    }

    @Test("A song that iTunes does not list has no preview, and an empty 403 is not an answer")
    func missingPreview() async throws {
        try await WorkerFixture.run { fixture in
            try await fixture.withWorker("sync-worker") { process in
                let unknown = PreviewQuestion(title: "No such song anywhere", artist: "Nobody", durationMs: 200_000)
                let none = try await fixture.run(.previewsFind, unknown, by: .previews, of: process)
                #expect(none.isKnown && none.url == nil)
                fixture.simulator.itunes.recorder.add([FaultRule(fault: .forbidden403, times: 1)])
                let other = PreviewQuestion(title: "Another song", artist: "Nobody")
                let later = try await fixture.run(.previewsFind, other, by: .previews, of: process)
                #expect(!later.isKnown && later.url == nil && (later.retryAfter ?? 0) > 30)
                let stored = try await fixture.database.read { try $0.previews.answer(to: other, at: .now()) }
                #expect(stored == nil)
                // All calls wait for the end of the pause.
                let before = calls(fixture)
                let third = PreviewQuestion(title: "A third song", artist: "Nobody")
                #expect(try await fixture.run(.previewsFind, third, by: .previews, of: process).isKnown == false)
                #expect(calls(fixture) == before)
            }
        }
    }
}
