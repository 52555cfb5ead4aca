/// The fault rules in force, in the order in which they were given.
package struct FaultRules: Sendable, Codable, Equatable {
    package struct Entry: Sendable, Codable, Equatable {
        package var rule: FaultRule
        /// How often the rule has been applied.
        package var struck = 0
    }

    package private(set) var entries: [Entry] = []

    package init() {}

    package mutating func add(_ rules: [FaultRule]) {
        entries += rules.map { Entry(rule: $0) }
    }

    package mutating func removeAll() {
        entries = []
    }

    /// Returns the first rule that matches and is not used up, and counts it as applied.
    package mutating func apply(_ target: RequestTarget, endpoint: String = "") -> FaultRule? {
        let index = entries.firstIndex { entry in
            entry.rule.times.map { entry.struck < $0 } ?? true
                && (entry.rule.match?.agrees(with: target, endpoint: endpoint) ?? true)
        }
        guard let index else { return nil }
        entries[index].struck += 1
        return entries[index].rule
    }
}
