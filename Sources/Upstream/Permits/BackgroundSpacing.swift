import Model

/// How much of a key's limit is reserved for interactive calls.
enum InteractiveReserve {
    /// A quarter, rounded up; nothing of a limit of 1, which serves both classes.
    static func of(_ amount: Int) -> Int {
        amount < 2 ? 0 : (amount + 3) / 4
    }
}

/// How background calls are spread over the window of a limit.
struct BackgroundSpacing: Equatable {
    /// Background calls that would follow each other sooner start together: one transaction serves them all.
    private static let shortestInterval = Duration.milliseconds(20)

    /// Background calls use the slots with numbers below this one.
    let slots: Int
    /// How many calls may start together.
    let batch: Int
    private let window: Duration

    init(_ limit: PermitLimit) {
        slots = limit.requests - InteractiveReserve.of(limit.requests)
        window = limit.window
        let spacing = limit.window.microseconds / Int64(slots)
        batch = min(slots, max(1, Int(Self.shortestInterval.microseconds / max(1, spacing))))
    }

    /// How long after this many calls, which started together, the next ones may start.
    func interval(after calls: Int) -> Duration {
        .microseconds(window.microseconds * Int64(calls) / Int64(slots))
    }
}
