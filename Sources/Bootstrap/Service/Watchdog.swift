/// When a process may say that it is alive: only after each of its parts has answered.
///
/// Each interval asks every part once. A round that all have answered by the next interval is followed by a
/// ping and the next round. One that is late is waited for, and pings as soon as the last answer is in.
struct Watchdog: Equatable {
    enum Action: Equatable {
        case nothing
        /// Say that the process is alive.
        case ping
        /// Say so, and ask these parts in the name of a new round.
        case pingAndAsk([String], round: Int)
        /// Stay silent, because these parts have not answered. Returned once for each silence.
        case stayedSilent([String])
        /// All have answered after a silence: say that the process is alive, and that it was not.
        case recovered
    }

    private var parts: [String] = []
    /// The parts that have not answered in this round.
    private var unheard: Set<String> = []
    private var round = 0
    /// Whether this round was not complete at the end of its interval.
    private var isLate = false
    private var isStopping = false

    /// Asks a part from the next round on.
    mutating func add(_ part: String) {
        parts.append(part)
    }

    /// From now on the end of the grace period watches over the process, and parts may end and answer no more.
    mutating func stop() {
        isStopping = true
    }

    /// An interval, half of what the service manager waits, has passed.
    mutating func intervalPassed() -> Action {
        if isStopping { return .ping }
        guard unheard.isEmpty else {
            defer { isLate = true }
            return isLate ? .nothing : .stayedSilent(unheard.sorted())
        }
        round += 1
        unheard = Set(parts)
        return .pingAndAsk(parts, round: round)
    }

    /// A part answered. Answers of earlier rounds say nothing about this one.
    mutating func answered(_ part: String, round: Int) -> Action {
        guard round == self.round, unheard.remove(part) != nil, unheard.isEmpty, isLate else { return .nothing }
        isLate = false
        return isStopping ? .nothing : .recovered
    }
}
