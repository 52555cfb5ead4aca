import Contracts
import LibraryWriting
import Model
import Storage
import TestSupport
import Testing
import Upstream

@testable import Jobs
@testable import LibraryWorker

@Suite("The handler of library syncs")
struct LibraryHandlerTests {
    @Test("A sync makes its requests, including those for pages read ahead, in the name of its person")
    func personOfTheRequests() async throws {
        try await withDatabase { database, _ in
            let userID = try await database.addPerson()
            let requests = Collector<String>()
            @Sendable func page<Item>(_ name: String, _ items: [Item], of total: Int, at offset: Int) -> SourcePage<
                Item
            > {
                requests.append("\(name) \(offset) \(UpstreamRequest(path: "/").person ?? "nobody")")
                let next = offset + items.count
                return SourcePage(
                    items: items, entryCount: items.count, total: total, nextOffset: next < total ? next : nil)
            }
            let source = LibrarySource(
                .spotify, pageSize: 2, account: { "account" },
                tracks: { offset in
                    let tracks = (offset..<offset + 2).map {
                        SourceTrack(sourceID: "s\($0)", title: "Song \($0)", artist: "Artist", album: "Album")
                    }
                    return page("tracks", tracks, of: 6, at: offset)
                },
                playlists: { page("playlists", [], of: 0, at: $0) }, entries: { _, _ in .empty },
                albums: { page("albums", [], of: 0, at: $0) })
            let handler = JobHandler.librarySync(
                database: database, sources: { _ in [source] }, connected: { _ in [.spotify] })
            let job = AssignedJob(
                run: JobRun(jobID: "j", run: 1), userID: userID, kind: "library.sync", version: 1, attempt: 1,
                maximumAttempts: 5, priority: 0, payload: "{}", person: nil)
            let checkpoints = CheckpointAccess(last: nil, isEnding: { false }) { write in
                try await database.write { transaction in
                    var submissions = JobSubmissions(maximumAttempts: 5, trace: nil)
                    _ = try write(transaction, &submissions)
                }
            }
            _ = try await handler.run(JobContext(job: job, report: { _ in }, checkpoints: checkpoints))
            #expect(
                requests.elements
                    == ["tracks 0", "tracks 2", "tracks 4", "playlists 0", "albums 0"].map {
                        "\($0) \(userID)"
                    })
        }
    }
}
