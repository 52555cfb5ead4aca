import Model

/// How urgent a job is: −100 … 100, higher is sooner. Waiting raises it, so that no job starves.
package enum JobPriority {
    package static let range = -100...100
    package static let standard = 0
    /// The lowest priority of interactive jobs, for which somebody waits at a screen. Waiting raises no other job to
    /// it.
    package static let interactive = 10
    /// The priority of an interactive job that others wait for as well. It comes first among its person's jobs.
    package static let awaitedByOthers = 11
    /// The priorities that people may ask for. Backline alone decides which jobs are interactive.
    package static let submittable = range.lowerBound...interactive - 1

    /// How many of a worker's places jobs below interactive priority may take at once: three quarters, rounded down. At
    /// least one of two or more places is left; a single place serves all jobs.
    package static func backgroundPlaces(of places: Int) -> Int {
        max(1, places * 3 / 4)
    }
}

/// How many of a worker's places below interactive priority (``JobPriority/backgroundPlaces(of:)``) one person's jobs
/// may take.
package enum PlaceShare {
    /// The share while jobs of others wait that could have the place: half, rounded down, and at least one.
    package static func whileOthersWait(of places: Int) -> Int { max(1, places / 2) }

    /// The share while nobody else waits: all but one of several, so that the next person's job starts at once.
    package static func alone(of places: Int) -> Int { max(1, places - 1) }

    /// Whether jobs for `person` may have every place: those of the system itself, such as scheduled ones, which are
    /// few.
    package static func isUnlimited(for person: String) -> Bool { person == SystemUser.id }
}
