import TestSupport

extension History {
    /// The steps with shares at random places among them: some are sent several times, and some are taken back.
    static func addingShares(to operations: [Operation], seed: UInt64) -> [Operation] {
        // A separate generator, so that it does not change the other steps of a seed.
        var random = SeededRandom(seed: seed ^ 0x7368_6172_6573)
        var operations = operations
        for number in 1...Int.random(in: 2...5, using: &random) {
            let share = Operation.share(number: number, user: Int.random(in: 1...users, using: &random))
            var steps = Array(repeating: share, count: Int.random(in: 1...3, using: &random))
            if Int.random(in: 0..<3, using: &random) == 0 {
                steps.insert(.takeShareBack(number: number), at: Int.random(in: 1...steps.count, using: &random))
            }
            let places = steps.map { _ in Int.random(in: 0...operations.count, using: &random) }.sorted()
            for (place, step) in zip(places, steps).reversed() { operations.insert(step, at: place) }
        }
        return operations
    }
}
