import TestProcesses
import TestSupport
import Testing

@Suite("Pictures without a sync-worker", .timeLimit(.minutes(20)))
struct PictureServingTests {
    @Test("Without a worker, pictures in the folder are served, and others are refused without a wait")
    func withoutWorker() async throws {
        // A killed worker is given up after a lease.
        try await LibraryInstallation.run(environment: ["BACKLINE_JOBS_LEASE_SECONDS": "5"]) { library in
            try await library.fill(library.upstreams.spotify, tracks: 40, oddities: false)
            let ada = try await library.base.addUser()
            try await library.connectSpotify(ada)
            try await ada.syncsEnded()
            let paths = try await Set(
                ada.get("/v1/library/tracks?limit=50").decode(JSON.self)["items"]?.items?
                    .compactMap { $0["picture"]?.text } ?? []
            ).sorted()
            try #require(paths.count >= 3)
            let first = try await eventually("a picture") { () -> APIResponse? in
                let answer = try await ada.get(paths[0])
                return answer.status == 200 ? answer : nil
            }

            let worker = try #require(library.base.running("sync-worker").first)
            worker.terminate()
            try await worker.waitForEnd()
            try await library.base.connected(workers: 0)
            // Just after its start a gateway waits for workers to appear.
            try await expectRefusal(ada.get(paths[1]))
            let jobs = try await fetches(library)
            for path in paths.dropFirst() { try await expectRefusal(ada.get(path)) }
            // No request has waited for a job.
            #expect(try await fetches(library) == jobs)
            let again = try await ada.get(paths[0])
            #expect(again.status == 200 && again.body == first.body)

            // The gateway learns of a kill later; until then requests wait, but not as long as for a worker.
            let killed = try await library.base.startWorker(.sync)
            try await library.base.connected(workers: 1)
            killed.kill()
            try await killed.waitForEnd()
            try await expectRefusal(ada.get(paths[1]))

            _ = try await library.base.startWorker(.sync)
            try await library.base.connected(workers: 1)
            #expect(try await ada.get(paths[1]).status == 200)
        }
    }

    private func expectRefusal(_ answer: APIResponse, sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(answer.status == 503, "\(answer.text)", sourceLocation: sourceLocation)
        let problem = try answer.problem
        #expect(problem.title == "Pictures cannot be fetched now", sourceLocation: sourceLocation)
        #expect(answer.header("Cache-Control") == "no-store", sourceLocation: sourceLocation)
    }

    /// How many jobs that fetch pictures there are.
    private func fetches(_ library: LibraryInstallation) async throws -> Int {
        try await library.base.withDatabase { database in
            try await database.read {
                try $0.row("SELECT COUNT(*) AS n FROM jobs WHERE kind = 'pictures.fetch'")?["n"] as Int? ?? -1
            }
        }
    }
}
