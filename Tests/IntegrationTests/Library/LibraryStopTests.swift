import TestProcesses
import TestSupport
import Testing

@Suite("Syncs of libraries under SIGTERM", .timeLimit(.minutes(20)))
struct LibraryStopTests {
    private static let size = DisturbedSync.Size(tracks: 300, playlists: 8, albums: 60)
    private static let stopCount = 4

    @Test("A sync whose worker stops is handed back at a checkpoint, and the next worker continues there")
    func stoppedWorker() async throws {
        let undisturbed = try await DisturbedSync.run(Self.size)
        let stops = (1...Self.stopCount).map { $0 * undisturbed.pages / (Self.stopCount + 1) }
        // No worker gives up a page because this test gets no processor time for a while.
        let patient = ["BACKLINE_WORKER_GRACE_SECONDS": "300"]
        let disturbed = try await DisturbedSync.run(Self.size, environment: patient) { library, sync in
            var left = stops[...]
            var pages = 0
            while let requested = try await library.nextPage(after: pages, ofSync: sync) {
                pages = requested
                if let page = left.first, pages >= page {
                    left.removeFirst()
                    // Every second time another worker is already running.
                    try await Self.stopWorker(of: library, during: sync, besideAnother: left.count.isMultiple(of: 2))
                }
                try await library.releasePages()
            }
            #expect(left.isEmpty, "\(left.count) stops were not carried out")

            let job = try #require(try await library.base.storedJobs()[sync])
            #expect(job.state == "succeeded" && job.attempt == 1 && job.run > Self.stopCount, "\(job)")
            #expect(job.crashes == 0 && !job.isSuspect, "\(job)")
            #expect(try await library.base.failedAttempts() == 0)
            try await library.base.expectTrueCounters()
        }
        disturbed.expectRows(of: undisturbed)
        // A stopping worker may have requested the page that follows its last checkpoint.
        let repeated = disturbed.pages - undisturbed.pages
        #expect(repeated >= 0 && repeated <= Self.stopCount, "\(repeated) pages were fetched again")
    }

    /// Stops the worker while it waits for a page, and sees that another has the sync or can have it.
    private static func stopWorker(
        of library: LibraryInstallation, during sync: String, besideAnother: Bool
    ) async throws {
        let base = library.base
        let worker = try #require(base.running("sync-worker").first)
        let before = try #require(try await base.storedJobs()[sync])
        if besideAnother {
            _ = try await base.startWorker(.sync)
            try await base.connected(workers: 2)
        }
        worker.terminate()
        try await worker.waitForLog("stopping")
        // It receives the page that it waits for, and hands the sync back with the page's rows.
        try await eventually("the sync to be handed back", within: LibraryInstallation.patience) { () -> Bool in
            let job = try #require(try await base.storedJobs()[sync])
            guard job.state == "running", job.run == before.run else { return true }
            try await library.releasePages()
            return false
        }
        #expect(try await worker.waitForEnd() == .exited(0))
        if !besideAnother { _ = try await base.startWorker(.sync) }
    }
}
