/// People with two devices each follow, ask, block and leave, while the gateway is killed and stopped.
package struct PeopleHistory: PlayableHistory {
    package static let option: String? = "--people"
    /// The number of people, besides an administrator.
    package static let people = 6

    package var seed: UInt64
    package var operations: [PeopleOperation]

    package init(seed: UInt64, operations: [PeopleOperation]) {
        (self.seed, self.operations) = (seed, operations)
    }

    package var settings: String { "\(Self.people) people with two devices each, and an administrator" }

    package func play() async throws -> Verdict {
        let record = try await PeopleHistoryRun.record(self)
        return Verdict(violations: record.violations, summary: record.summary)
    }
}

/// The observations of one history of people.
struct PeopleRecord: Sendable {
    var violations: [Violation] = []
    var acts = 0
    var lostAnswers = 0
    var changes = 0
    var checks = 0

    /// Adds a violation once.
    mutating func note(_ rule: Violation.Rule, _ text: String) {
        let violation = Violation(rule, text)
        if !violations.contains(violation) { violations.append(violation) }
    }

    var summary: String {
        "\(acts) acts, \(lostAnswers) answers lost, \(changes) changes on devices, \(checks) comparisons"
    }
}
