import Foundation
import Model
import Storage
import Testing

@testable import Upstream

/// A fresh database file with its schema, deleted by ``remove()``.
struct TemporaryDatabase {
    let folder: URL
    let database: Database

    var path: String { database.path }

    init() async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "upstream-tests-\(UUIDv7.next())")
        database = try Database.open(path: folder.appending(path: "test.db").path)
        try await database.migrate()
    }

    func remove() {
        database.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Runs `body` with a fresh database.
    static func run(_ body: (TemporaryDatabase) async throws -> Void) async throws {
        let storage = try await TemporaryDatabase()
        defer { storage.remove() }
        try await body(storage)
    }

    /// A queue of permits for ``PermitKey/test``. Two queues with different names behave like two processes.
    func queue(_ process: String, requests: Int, window: Duration) -> PermitQueue {
        PermitQueue(
            key: .test, limit: PermitLimit(requests: requests, window: window), database: database, process: process)
    }
}

extension PermitKey {
    static let test = PermitKey(provider: "test", credential: Secret("key"))
}

extension PermitQueue {
    func acquire(
        _ urgency: UpstreamRequest.Urgency = .interactive, timeout: Duration = .seconds(5)
    ) async throws -> Permit {
        try await acquire(urgency, totalTimeout: timeout, waitLimit: .seconds(120), deadline: nil)
    }
}

/// Fails when more than `requests` arrivals fall into any interval as long as `window`.
func expectLimit(
    _ arrivals: [LocalHTTPServer.Arrival], requests: Int, window: Duration,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let times = arrivals.map(\.arrivedAt).sorted()
    for (first, beyond) in zip(times, times.dropFirst(requests)) {
        let gap = first.duration(to: beyond)
        #expect(
            gap > window, "\(requests + 1) requests arrived within \(gap), where the limit is \(requests) in \(window)",
            sourceLocation: sourceLocation)
    }
}
