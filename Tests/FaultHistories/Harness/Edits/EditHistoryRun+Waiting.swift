import TestProcesses
import TestSupport

/// Waiting for what other processes do.
extension EditHistoryRun {
    /// Like `eventually`, for a condition that this actor checks.
    func wait(
        for what: String, within limit: Duration = limit, isTrue: () async throws -> Bool
    ) async throws {
        let end = ContinuousClock.now.advanced(by: limit)
        while try await !isTrue() {
            guard ContinuousClock.now < end else { throw WaitTimeout(description: "Timed out waiting for \(what).") }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Sends a request whose answer is needed, and repeats it while the gateway does not listen because it has just
    /// started. The first one may have been accepted and its answer lost.
    func whenListening<Answer>(_ request: () async throws -> Answer) async throws -> Answer {
        let end = ContinuousClock.now.advanced(by: Self.limit)
        while true {
            do {
                return try await request()
            } catch let error where !(error is UnexpectedAnswer) {
                guard ContinuousClock.now < end else { throw error }
                try superviseAll()
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    /// Runs a request in a task of its own, and waits for its answer for a short time.
    func request(atMost limit: Duration = patience, _ body: @escaping @Sendable () async -> Void) async {
        let task = Task { await body() }
        pending.append(task)
        await task.wait(atMost: limit)
    }
}
