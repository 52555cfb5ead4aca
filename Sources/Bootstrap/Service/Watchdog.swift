/// Decides when a process pings the service manager's watchdog: only after each of its parts has answered.
///
/// Every part is probed once per interval. If all have answered by the end of the interval, the watchdog pings and
/// begins the next round. If not, no new round begins, and the ping follows as soon as the last part answers.
struct Watchdog: Equatable {
    enum Action: Equatable {
        case nothing
        /// Ping.
        case ping
        /// Ping, and probe these parts for a new round.
        case pingAndAsk([String], round: Int)
        /// Do not ping, because these parts have not answered. Returned once for each late round.
        case withheldPing([String])
        /// Ping: the last part of a late round has answered.
        case recovered
    }

    private var parts: [String] = []
    /// The parts that have not answered in this round.
    private var unheard: Set<String> = []
    private var round = 0
    /// Whether this round was incomplete at the end of its interval.
    private var isLate = false
    private var isStopping = false

    /// Adds a part, which is probed from the next round on.
    mutating func add(_ part: String) {
        parts.append(part)
    }

    /// Makes every interval ping from now on: parts end and stop answering, and ``GraceDeadline`` limits the shutdown.
    mutating func stop() {
        isStopping = true
    }

    /// An interval has passed: half of the service manager's timeout.
    mutating func intervalPassed() -> Action {
        if isStopping { return .ping }
        guard unheard.isEmpty else {
            defer { isLate = true }
            return isLate ? .nothing : .withheldPing(unheard.sorted())
        }
        round += 1
        unheard = Set(parts)
        return .pingAndAsk(parts, round: round)
    }

    /// A part answered. Answers to earlier rounds do not count.
    mutating func answered(_ part: String, round: Int) -> Action {
        guard round == self.round, unheard.remove(part) != nil, unheard.isEmpty, isLate else { return .nothing }
        isLate = false
        return isStopping ? .nothing : .recovered
    }
}
