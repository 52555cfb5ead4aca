/// How much the next step of long work takes on, so that each holds the write lock for about as long as it is to.
///
/// It follows what steps took, those of this very disk at this very moment: it grows at most to the double, since what
/// comes next may be slower, and shrinks at once.
package struct StepSize: Sendable, Equatable {
    /// The longest that a step is to hold the lock.
    package static let longest = Duration.milliseconds(20)
    /// What steps aim at: half of it, since steps of one size differ.
    static let goal = longest / 2

    /// Of what the work is counted in; at least 1.
    package private(set) var units: Int
    private let maximum: Int

    /// - Parameters:
    ///   - units: of the first step, of which nothing is known yet.
    ///   - maximum: however fast they are.
    package init(units: Int, maximum: Int) {
        precondition(units >= 1 && maximum >= units, "no step of \(units) units, at most \(maximum)")
        self.units = units
        self.maximum = maximum
    }

    /// - Parameter done: the units of the step, which may have been fewer, or one that is more.
    package mutating func took(_ held: Duration, for done: Int) {
        let factor = min(2, Self.goal / max(held, .microseconds(1)))
        let fitting = Int(min(Double(maximum), Double(max(1, done)) * factor))
        // A step that was the last of few says nothing against larger ones.
        if factor >= 1 && fitting < units { return }
        units = max(1, min(fitting, maximum))
    }
}
