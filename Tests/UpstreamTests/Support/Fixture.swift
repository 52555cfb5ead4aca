import Domains
import Foundation
import Model
import Storage
import TestSupport
import Testing

@testable import Upstream

extension TestDatabase {
    /// One with the tables of permits.
    init() async throws {
        try await self.init(of: .tested)
    }

    /// Runs `body` with a new database, and closes it.
    static func run(_ body: (TestDatabase) async throws -> Void) async throws {
        let storage = try await TestDatabase()
        defer { storage.close() }
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

extension [Domain] {
    /// Those whose tables the tests use.
    static let tested: [Domain] = [.storage, .permits]
}
