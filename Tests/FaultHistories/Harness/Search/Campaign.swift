/// Plays many histories, several at once.
package struct Campaign<History: PlayableHistory>: Sendable {
    /// The number of histories that are played at the same time.
    package var parallel: Int
    /// Called before each history; `nil` ends the campaign.
    private let next: @Sendable () -> History?

    package init(parallel: Int, next: @escaping @Sendable () -> History?) {
        self.parallel = parallel
        self.next = next
    }

    package enum Outcome: Sendable {
        /// The history passed, with a summary of what happened.
        case passed(summary: String)
        case failed(FailedHistory<History>)
        /// The harness itself could not play it.
        case unplayable(History, reason: String)
    }

    /// - Parameter report: called after each history, one after another.
    package func run(report: @Sendable (Outcome) async -> Void) async {
        await withTaskGroup(of: Outcome.self) { group in
            var running = 0
            while running < parallel, let history = next() {
                group.addTask { await Self.play(history) }
                running += 1
            }
            for await outcome in group {
                await report(outcome)
                if let history = next() { group.addTask { await Self.play(history) } }
            }
        }
    }

    package static func play(_ history: History) async -> Outcome {
        do {
            let verdict = try await history.play()
            if verdict.violations.isEmpty { return .passed(summary: verdict.summary) }
            return .failed(FailedHistory(history: history, violations: verdict.violations))
        } catch {
            return .unplayable(history, reason: "\(error)")
        }
    }
}
