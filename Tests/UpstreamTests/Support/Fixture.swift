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
