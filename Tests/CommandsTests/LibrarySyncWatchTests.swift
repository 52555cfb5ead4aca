import ArgumentParser
import Foundation
import Testing

@testable import CommandSupport
@testable import LibraryCommands

@Suite("Waiting for a sync of the library")
struct LibrarySyncWatchTests {
    private let start = ContinuousClock.now
    private let away = GatewayError.unreachable(address: "http://127.0.0.1:1", reason: "connection refused")

    /// A sync in the gateway's JSON. `sources` are `(state, phase, found)` of Apple Music and Spotify; those that wait
    /// have the error.
    private func document(
        id: String = "2", _ state: LibrarySyncStatus.State, _ sources: [(String, String?, Int)] = [],
        error: String? = nil, merged: Int = 12
    ) throws -> LibrarySyncDocument {
        let objects: [[String: Any]] = zip(["appleMusic", "spotify"], sources).map { name, source in
            let failure = source.0 == "waiting" ? error.map { ["code": "rateLimited", "message": $0] as Any } : nil
            return [
                "source": name, "state": source.0, "phase": source.1.map { $0 as Any } ?? NSNull(),
                "found": source.2, "new": 1, "changed": 0, "total": 3_400, "error": failure ?? NSNull(),
            ]
        }
        let object: [String: Any] = [
            "id": id, "state": state.rawValue, "sources": objects, "merged": merged, "finishedAt": NSNull(),
        ]
        return try LibrarySyncDocument(json: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys))
    }

    @Test("Changes are shown, and the first state that is no longer running ends it")
    func watchUntilTheEnd() throws {
        for state in [LibrarySyncStatus.State.complete, .partial, .failed] {
            var watch = LibrarySyncWatch("2")
            #expect(watch.handle(.status(try document(.queued)), at: start) == .show)
            #expect(watch.handle(.status(try document(.running, [("running", "tracks", 9)])), at: start) == .show)
            #expect(watch.handle(.status(try document(state)), at: start) == .end(.over))
            #expect(watch.document?.status.state == state)
        }
    }

    @Test("The same status again changes nothing, and neither does one before the end")
    func repeatedStatus() throws {
        var watch = LibrarySyncWatch("2")
        #expect(watch.handle(.status(try document(.running)), at: start) == .show)
        #expect(watch.handle(.status(try document(.running)), at: start) == .wait)
        #expect(watch.handle(.status(try document(.complete)), at: start) == .end(.over))
        #expect(watch.handle(.status(try document(.running, [("running", "tracks", 9)])), at: start) == .wait)
        #expect(watch.document?.status.state == .complete)
    }

    @Test("An earlier sync is shown, and its end does not end the waiting")
    func earlierSync() throws {
        var watch = LibrarySyncWatch("2")
        #expect(watch.handle(.status(try document(.queued)), at: start) == .show)
        let before = try document(id: "1", .running, [("running", "tracks", 9)])
        #expect(watch.handle(.status(before), at: start) == .show)
        #expect(watch.handle(.status(before), at: start) == .wait)
        #expect(watch.shown == before.status)
        #expect(watch.handle(.status(try document(id: "1", .complete)), at: start) == .show)
        #expect(watch.document?.status.state == .queued)
        #expect(watch.handle(.status(try document(.running)), at: start) == .show)
        #expect(watch.handle(.status(before), at: start) == .wait)
        #expect(watch.shown?.id == "2")
        #expect(watch.handle(.status(try document(.complete)), at: start) == .end(.over))
    }

    @Test("A sync that was requested meanwhile is awaited instead")
    func laterSync() throws {
        var watch = LibrarySyncWatch("2")
        #expect(watch.handle(.status(try document(id: "3", .queued)), at: start) == .show)
        #expect(watch.handle(.status(try document(id: "2", .complete)), at: start) == .show)
        #expect(watch.handle(.status(try document(id: "3", .complete)), at: start) == .end(.over))
        #expect(watch.document?.status.id == "3")
    }

    @Test("The command waits for a gateway that restarts, but not for one that stays down")
    func unreachableGateway() throws {
        var watch = LibrarySyncWatch("2")
        #expect(watch.handle(.uncertain, at: start) == .poll)
        #expect(watch.handle(.failure(away), at: start) == .wait)
        #expect(watch.handle(.failure(away), at: start + .seconds(29)) == .wait)
        #expect(watch.handle(.status(try document(.running)), at: start + .seconds(29)) == .show)
        #expect(watch.handle(.failure(away), at: start + .seconds(40)) == .wait)
        #expect(watch.handle(.failure(away), at: start + .seconds(70)) == .end(.failed(away)))
        #expect(watch.handle(.failure(.unauthorized), at: start) == .end(.failed(.unauthorized)))
        #expect(watch.handle(.interrupt(2), at: start) == .end(.interrupted(2)))
        #expect(watch.handle(.timeout, at: start) == .end(.timedOut))
    }

    @Test("Each part of a service's library has a line once it was read")
    func linesOfParts() throws {
        var report = LibrarySyncReport()
        func lines(_ sources: [(String, String?, Int)]) throws -> [String] {
            report.lines(for: try document(.running, sources).status)
        }
        #expect(try lines([("waiting", nil, 0), ("waiting", nil, 0)]) == [])
        #expect(try lines([("running", "tracks", 100), ("waiting", nil, 0)]) == [])
        #expect(try lines([("running", "tracks", 3_400), ("waiting", nil, 0)]) == [])
        #expect(
            try lines([("running", "playlists", 3_401), ("waiting", nil, 0)])
                == ["Apple Music: tracks read, 3401 items so far"])
        #expect(
            try lines([("complete", "playlists", 3_425), ("running", "tracks", 5)])
                == ["Apple Music: playlists read, 3425 items so far"])
        let failed = [("complete", "playlists", 3_425), ("failed", "tracks", 50)] as [(String, String?, Int)]
        #expect(try lines(failed) == ["Spotify: tracks not read to the end, 50 items so far"])
        #expect(try lines(failed) == [])
    }

    @Test("A service that has to wait has one line with the reason, and the progress names it")
    func waitingService() throws {
        let reason = "Spotify allows no more requests until 2026-11-26 22:15."
        var report = LibrarySyncReport()
        let reading = [("complete", "albums", 9), ("running", "tracks", 50)] as [(String, String?, Int)]
        #expect(report.lines(for: try document(.running, reading).status) == [])
        let waiting = [("complete", "albums", 9), ("waiting", "tracks", 50)] as [(String, String?, Int)]
        let status = try document(.running, waiting, error: reason).status
        #expect(report.lines(for: status) == ["Spotify has to wait: \(reason)"])
        #expect(report.lines(for: status) == [])
        #expect(LibrarySyncReport.progress(of: status, after: .seconds(3)) == "3.0 s  waiting for Spotify")
        #expect(report.lines(for: try document(.running, reading).status) == [])
        #expect(report.lines(for: status) == ["Spotify has to wait: \(reason)"])
        let merging = try document(.running, [("complete", "albums", 9), ("complete", "albums", 60)]).status
        #expect(LibrarySyncReport.progress(of: merging, after: .zero) == "0.0 s  comparing the services")
    }

    @Test("The progress names the service and the part that is being read")
    func progressText() throws {
        let status = try document(.running, [("running", "tracks", 1_700), ("waiting", nil, 0)]).status
        #expect(
            LibrarySyncReport.progress(of: status, after: .seconds(3))
                == "[############------------] 1700/3400  3.0 s  Apple Music: tracks")
        let queued = try document(.queued).status
        #expect(LibrarySyncReport.progress(of: queued, after: .zero) == "0.0 s  waiting for a worker")
    }

    @Test(
        "Each state has its exit status",
        arguments: [
            (LibrarySyncStatus.State.complete, 0), (.failed, 1), (.running, 2), (.partial, 3),
        ] as [(LibrarySyncStatus.State, Int32)])
    func exitStatuses(state: LibrarySyncStatus.State, code: Int32) {
        #expect(LibrarySyncReport.exit(for: state) == ExitCode(code))
    }

    @Test("The outcome says how many tracks were merged")
    func outcomeText() throws {
        let read = [("complete", "albums", 9)] as [(String, String?, Int)]
        func outcome(_ merged: Int) throws -> String {
            LibrarySyncReport.outcome(of: try document(.complete, read, merged: merged).status)
        }
        #expect(try outcome(12) == "The library is synced; 12 tracks were merged into others.")
        #expect(try outcome(1) == "The library is synced; 1 track was merged into another.")
        #expect(try outcome(0) == "The library is synced.")
    }

    @Test("A sync that read no service does not say that the library is synced")
    func nothingRead() throws {
        let failed = [("failed", nil, 0)] as [(String, String?, Int)]
        func outcome(_ state: LibrarySyncStatus.State, _ sources: [(String, String?, Int)]) throws -> String {
            LibrarySyncReport.outcome(of: try document(state, sources, merged: 0).status)
        }
        #expect(try outcome(.complete, []).hasPrefix("No service is connected."))
        // This status has the error of an earlier sync.
        #expect(try outcome(.complete, failed).hasPrefix("No service is connected."))
        #expect(try outcome(.partial, failed) == "The library could not be synced.")
        #expect(
            try outcome(.partial, [("complete", "albums", 9)] + failed) == "Some of the library could not be synced.")
    }

    @Test("A sync that had nothing to do says why, and one that read a service does not")
    func skippedSync() throws {
        let nothing = try document(.complete, [("skipped", nil, 0), ("skipped", nil, 0)]).status
        #expect(
            LibrarySyncReport.outcome(of: nothing)
                == "Nothing was read: every service was synced in the last five minutes. --force reads them again.")
        let one = try document(.complete, [("skipped", nil, 0), ("complete", "albums", 9)]).status
        #expect(LibrarySyncReport.outcome(of: one).hasPrefix("The library is synced"))
    }
}
