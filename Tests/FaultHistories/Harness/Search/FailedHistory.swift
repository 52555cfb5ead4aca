/// A history that broke a rule, with the shortest form of it that was found.
package struct FailedHistory<History: PlayableHistory>: Sendable {
    package var history: History
    package var violations: [Violation]
    /// `nil` when the history was not shrunk, or did not fail again.
    package var shrunk: History?

    /// Plays parts of it several times, several at once: many failures depend on chance.
    ///
    /// - Parameters:
    ///   - attempts: how many parts are tried at most.
    ///   - repetitions: how often each is played before it counts as passing.
    package mutating func shrink(attempts: Int = 40, repetitions: Int = 3) async {
        let rules = Set(violations.map(\.rule))
        let history = history
        let fails: @Sendable ([History.Step]) async -> Bool = { operations in
            var part = history
            part.operations = operations
            return await Self.fails(part, against: rules, repetitions: repetitions)
        }
        guard await fails(history.operations) else { return }
        var shrunk = history
        shrunk.operations = await Shrinking.shrink(history.operations, attempts: attempts, fails: fails)
        self.shrunk = shrunk
    }

    private static func fails(_ history: History, against rules: Set<Violation.Rule>, repetitions: Int) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<repetitions {
                group.addTask {
                    guard let verdict = try? await history.play() else { return false }
                    return verdict.violations.contains { rules.contains($0.rule) }
                }
            }
            return await group.contains(true)
        }
    }

    /// The report for the person who investigates the failure.
    package var lines: [String] {
        var lines = ["The history of seed \(history.seed) failed:"]
        lines += violations.prefix(10).map { "  \($0)" }
        if violations.count > 10 { lines.append("  and \(violations.count - 10) more") }
        if let shrunk {
            lines.append("\(shrunk.operations.count) of its \(history.operations.count) steps make it fail:")
            lines += shrunk.lines.map { "  \($0)" }
        } else {
            lines.append("Its steps:")
            lines += history.lines.map { "  \($0)" }
        }
        let option = History.option.map { " \($0)" } ?? ""
        return lines + ["Play it again: scripts/soak\(option) --seed \(history.seed)"]
    }
}
