/// The microseconds that an act takes, in the fastest, the median and the slowest of a hundred rounds.
struct Rounds {
    private static let (rounds, acts) = (100, 200)

    let fastest: Double
    let median: Double
    let slowest: Double

    init(_ act: () throws -> Void) rethrows {
        let times = try (0..<Self.rounds).map { _ in
            let elapsed = try ContinuousClock().measure {
                for _ in 0..<Self.acts { try act() }
            }
            return elapsed / .microseconds(1) / Double(Self.acts)
        }.sorted()
        (fastest, median, slowest) = (times[0], times[Self.rounds / 2], times[Self.rounds - 1])
    }

    /// Members of a JSON object.
    var members: String { #""fastest":\#(fastest),"median":\#(median),"slowest":\#(slowest)"# }
}
