/// How urgent a job is: −100 … 100, more is sooner. Waiting raises it, so that nothing starves.
package enum JobPriority {
    package static let range = -100...100
    package static let standard = 0
    /// Somebody looks at a screen and waits. Waiting raises no job from below to here.
    package static let interactive = 10
    /// Several people wait: of the jobs of the person whom it is for, others' come first.
    package static let awaitedByOthers = 11
    /// What people may ask for: whom a screen keeps waiting is what Backline knows, and nobody else.
    package static let submittable = range.lowerBound...interactive - 1

    /// How many of a worker's places may be taken by jobs below interactive priority at once: three quarters. Of two
    /// or more places at least one is left; a single place serves both.
    package static func backgroundPlaces(of places: Int) -> Int {
        max(1, places * 3 / 4)
    }
}
