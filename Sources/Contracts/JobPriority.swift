import Model

/// How urgent a job is: −100 … 100, higher is sooner. Waiting raises it, so that no job starves.
package enum JobPriority {
    package static let range = -100...100
    package static let standard = 0
    /// The lowest priority of interactive jobs, for which somebody waits at a screen. Waiting never raises other jobs
    /// to it.
    package static let interactive = 10
    /// The priority of an interactive job that other people also wait for. It comes first among its person's jobs.
    package static let awaitedByOthers = 11
    /// The priorities that people may request. Only Backline decides which jobs are interactive.
    package static let submittable = range.lowerBound...interactive - 1

    /// How many of a worker's slots jobs below interactive priority may occupy at once: three quarters, rounded down.
    /// At least one of two or more slots is left free; a single slot serves all jobs.
    package static func backgroundSlots(of slots: Int) -> Int {
        max(1, slots * 3 / 4)
    }
}

/// How many of a worker's slots below interactive priority (``JobPriority/backgroundSlots(of:)``) one person's jobs
/// may occupy.
package enum SlotShare {
    /// The share while other people's jobs wait that could use the slot: half, rounded down, and at least one.
    package static func whileOthersWait(of slots: Int) -> Int { max(1, slots / 2) }

    /// The share while nobody else waits: all but one, if there are several, so that the next person's job starts at
    /// once.
    package static func alone(of slots: Int) -> Int { max(1, slots - 1) }

    /// Whether jobs for `person` may occupy every slot: jobs of the system itself, such as scheduled ones, which are
    /// few.
    package static func isUnlimited(for person: String) -> Bool { person == SystemUser.id }
}
