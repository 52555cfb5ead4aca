/// The size of the next step of a long piece of work, so that each step holds the write lock for about ``goal``.
///
/// The size follows the time that the last steps took on this disk. It at most doubles at a time, because the next step
/// may be slower, but shrinks at once.
package struct StepSize: Sendable, Equatable {
    /// The longest time that a step should hold the lock.
    package static let longest = Duration.milliseconds(20)
    /// The time that steps aim at: half of ``longest``, because steps of the same size take different times.
    package static let goal = longest / 2

    /// The size of the next step, in the unit in which the work is counted; at least 1.
    package private(set) var units: Int
    private let maximum: Int

    /// - Parameters:
    ///   - units: the size of the first step, before any time is known.
    ///   - maximum: the largest size of a step, however short the steps are.
    package init(units: Int, maximum: Int) {
        precondition(units >= 1 && maximum >= units, "no step of \(units) units, at most \(maximum)")
        self.units = units
        self.maximum = maximum
    }

    /// Notes the time of a step.
    ///
    /// - Parameters:
    ///   - held: the time that the step held the lock.
    ///   - done: the units that it did. They may be fewer than ``units``, or more if a single item is larger.
    package mutating func took(_ held: Duration, for done: Int) {
        let factor = min(2, Self.goal / max(held, .microseconds(1)))
        let fitting = Int(min(Double(maximum), Double(max(1, done)) * factor))
        // A short step at the end of the items is no reason against larger ones.
        if factor >= 1 && fitting < units { return }
        units = max(1, min(fitting, maximum))
    }
}
