import Model

/// A moment by which rows may be deleted because of their age: from a wall clock that ``PruningClock`` trusts.
///
/// Functions that delete by age take this type instead of ``Timestamp``, so that none uses a clock that is far ahead.
package struct PruningTime: Hashable, Sendable {
    package let moment: Timestamp

    init(trusted moment: Timestamp) {
        self.moment = moment
    }

    /// A moment without a check, for tests.
    package static func unguarded(_ moment: Timestamp) -> PruningTime {
        PruningTime(trusted: moment)
    }

    /// The moment `age` earlier: whatever is before it is older than `age`.
    package func before(_ age: Duration) -> PruningTime {
        PruningTime(trusted: moment.advanced(by: .zero - age))
    }
}
