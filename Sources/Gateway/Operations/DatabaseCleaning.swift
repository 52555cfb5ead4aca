import Model
import Storage

/// Cleans the database of what was deleted (``CleaningState``), as far as that is due.
struct DatabaseCleaning: Sendable {
    /// How often it is looked for, and how soon after people left the log is cut off, once for all of them.
    static let interval = Duration.seconds(5)
    /// Pages of the first step.
    private static let firstStep = StepSize(units: 256, maximum: 32_768)
    /// Rests between steps are so much longer than the steps: a file is gone through once, and nobody waits for it.
    private static let rest = 4

    let database: Database

    /// Ends when nothing is due, or the rest has to wait for a reader or another program; the next run goes on.
    func run() async throws {
        let state = try await database.read { try $0.cleaningState() }
        // Those who left do not wait for the file, nor the log for the next run when that is done.
        if state.logDueSince != nil { _ = try await database.cutOffLog() }
        guard let page = state.nextPage, try await goThrough(from: page) else { return }
        _ = try await database.cutOffLog()
    }

    /// - Returns: whether it came to the end.
    private func goThrough(from first: Int64) async throws -> Bool {
        var (page, size) = (first, Self.firstStep)
        while let step = try await database.cleanPages(from: page, count: size.units) {
            guard let next = step.next else { return true }
            size.took(step.held, for: size.units)
            page = next
            try await Task.sleep(for: step.held * Self.rest)
        }
        return false
    }
}
