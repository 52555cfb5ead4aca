import Model

/// A fixed moment for tests.
let noon = Timestamp(microseconds: 1_795_000_000_000_000)

extension Timestamp {
    static func + (left: Timestamp, right: Duration) -> Timestamp { left.advanced(by: right) }
}
