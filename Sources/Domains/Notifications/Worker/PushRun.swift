import JobStorage
import Jobs
import Logging
import Model
import Notifications
import Storage
import Synchronization
import Telemetry

/// A run of `notifications.push`: takes what is due, host by host, and writes what became of it. Both are checkpoints of
/// the job, so that after a crash, what was taken and not finished is sent again, and nothing else.
struct PushRun: Sendable {
    typealias Checkpoint =
        @Sendable (
            _ write: @escaping @Sendable (WriteTransaction) throws -> PushRunState
        ) async throws -> Void

    /// The most pushes of a host that are taken at once.
    private static let batch = 64
    /// The most hosts to which pushes are under way. People choose the hosts of their targets.
    private static let mostLanes = 64
    /// How often new intents are looked for while a lane is busy.
    private static let interval = Duration.milliseconds(500)

    let database: Database
    let kinds: NotificationKinds
    let accounts: NotifiedAccounts
    let lane: PushLane
    /// Writes rows and the state in one transaction, as long as the run is this worker's.
    let checkpoint: Checkpoint
    /// Whether the worker was asked to stop.
    let isEnding: @Sendable () -> Bool
    let metrics: MetricRegistry
    let logger: Logger

    private let progress = PushProgress()

    private enum Event: Sendable {
        case finished(host: String, [PushLane.Outcome])
        case tick
    }

    /// Runs until nothing is due.
    func run(_ former: PushRunState?) async throws -> PushResult {
        progress.change { $0 = former ?? PushRunState() }
        // Only one run is under way, so what is taken was taken by one that has ended.
        try await checkpoint { [progress] transaction in
            try transaction.notifications.returnTaken()
            return progress.state
        }
        try await withThrowingTaskGroup(of: Event.self) { events in
            var (busy, lastHost, isTicking): (Set<String>, String, Bool) = ([], "", false)
            while true {
                // Something was looked at and not sent, so that there may be more.
                var mayHaveMore = false
                if !isEnding() {
                    for host in try await dueHosts(after: lastHost) where !busy.contains(host) {
                        guard busy.count < Self.mostLanes else { break }
                        lastHost = host
                        let taken = try await take(host)
                        guard !taken.deliveries.isEmpty else {
                            mayHaveMore = mayHaveMore || taken.looked > 0
                            continue
                        }
                        busy.insert(host)
                        events.addTask { [lane] in .finished(host: host, try await lane.run(taken)) }
                    }
                }
                if busy.isEmpty {
                    if mayHaveMore { continue }
                    break
                }
                if !isTicking {
                    isTicking = true
                    events.addTask {
                        try await Task.sleep(for: Self.interval)
                        return .tick
                    }
                }
                switch try await events.next() {
                case .finished(let host, let outcomes):
                    busy.remove(host)
                    try await finish(outcomes)
                case .tick: isTicking = false
                case nil: break
                }
            }
            events.cancelAll()
        }
        return progress.state.result
    }

    /// The hosts with due intents, beginning after the last one that had its turn.
    private func dueHosts(after last: String) async throws -> [String] {
        let now = Timestamp.now()
        return try await database.read { reader in
            let later = try reader.notifications.dueHosts(after: last, now: now, limit: 1_000)
            guard !last.isEmpty else { return later }
            return later + (try reader.notifications.dueHosts(after: "", now: now, limit: 1_000)).filter { $0 <= last }
        }
    }

    private func take(_ host: String) async throws -> TakenPushes {
        let (kinds, accounts, found) = (kinds, accounts, PushFindings())
        let before = progress.state
        try await checkpoint { [progress] transaction in
            let taken = try transaction.notifications.take(
                host: host, kinds: kinds, accounts: accounts, now: .now(), limit: Self.batch)
            found.set(taken)
            // The transaction may run twice.
            var state = before
            state.result.dropped += taken.dropped
            state.finished += taken.dropped
            progress.change { $0 = state }
            return state
        }
        metrics.counter(.pushes, ["dropped"]).add(found.taken.dropped)
        return found.taken
    }

    private func finish(_ outcomes: [PushLane.Outcome]) async throws {
        let (kinds, found, before) = (kinds, PushFindings(), progress.state)
        var after = before
        for outcome in outcomes { after.count(outcome.ending) }
        let state = after
        try await checkpoint { transaction in
            var refusals: [PushRefusal] = []
            let now = Timestamp.now()
            for outcome in outcomes {
                let interval = kinds[.init(rawValue: outcome.delivery.kind)]?.pushInterval ?? .seconds(60)
                let refusal = try transaction.notifications.finish(
                    outcome.delivery, as: outcome.ending, interval: interval, now: now)
                if let refusal { refusals.append(refusal) }
            }
            found.set(refusals)
            return state
        }
        progress.change { $0 = state }
        for outcome in outcomes { metrics.counter(.pushes, [outcome.ending.name]).add() }
        for refusal in found.refusals {
            logger.error(
                """
                a push service refuses this installation, and gets nothing for an hour: check push.contact, the clock, \
                and with 'backline doctor' the key for Web Push
                """,
                metadata: ["host": "\(refusal.host)", "answer": "\(refusal.answer)"])
        }
    }
}

/// How far a run is.
private final class PushProgress: Sendable {
    private let stored = Mutex(PushRunState())

    var state: PushRunState { stored.withLock { $0 } }

    func change(_ change: (inout PushRunState) -> Void) { stored.withLock { change(&$0) } }
}

/// What a transaction found, which may run twice.
private final class PushFindings: Sendable {
    private let found = Mutex((taken: TakenPushes(), refusals: [PushRefusal]()))

    var taken: TakenPushes { found.withLock { $0.taken } }
    var refusals: [PushRefusal] { found.withLock { $0.refusals } }

    func set(_ taken: TakenPushes) { found.withLock { $0.taken = taken } }
    func set(_ refusals: [PushRefusal]) { found.withLock { $0.refusals = refusals } }
}

extension PushRunState {
    fileprivate mutating func count(_ ending: PushEnding) {
        switch ending {
        case .sent:
            result.sent += 1
            finished += 1
        case .dropped, .targetGone:
            result.dropped += 1
            finished += 1
        case .again, .paused, .unanswered, .refused: result.waiting += 1
        }
    }
}

extension PushEnding {
    /// The value of the metric's label `outcome`.
    fileprivate var name: String {
        switch self {
        case .sent: "sent"
        case .dropped: "dropped"
        case .again, .paused: "waiting"
        case .unanswered: "unanswered"
        case .targetGone: "targetGone"
        case .refused: "refused"
        }
    }
}
