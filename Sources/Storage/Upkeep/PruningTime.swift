import Model

/// A moment that rows may be deleted by for their age: one of a wall clock that ``PruningClock`` trusts.
///
/// Whatever deletes by age takes this and no ``Timestamp``, so that none can go by a clock that is far ahead.
package struct PruningTime: Hashable, Sendable {
    package let moment: Timestamp

    init(trusted moment: Timestamp) {
        self.moment = moment
    }

    /// A moment that nobody has judged, for tests.
    package static func unguarded(_ moment: Timestamp) -> PruningTime {
        PruningTime(trusted: moment)
    }

    /// The moment before which everything is older than `age`.
    package func before(_ age: Duration) -> PruningTime {
        PruningTime(trusted: moment.advanced(by: .zero - age))
    }
}
