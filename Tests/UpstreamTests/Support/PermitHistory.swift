import Model
import PermitStorage
import TestSupport

@testable import Upstream

/// A random history, determined by its seed, of processes that share a key on one machine: calls of several people;
/// answers that are late, lost or lighter than estimated; killed and stopped processes; pruning; restarts; changes of
/// the wall clock.
///
/// Times are microseconds of the true time, which no process knows.
struct PermitHistory {
    struct Arrival {
        let at: Int64
        let weight: Int
    }

    static let limit = PermitLimit(requests: 4, window: .seconds(1))
    static let minute = PermitQuota(name: "minute", unit: .requests, amount: 12, window: .seconds(60))
    static let tokens = PermitQuota(name: "tokens", unit: .weight, amount: 1_000, window: .seconds(60))
    static let day = PermitQuota(
        name: "day", unit: .requests, amount: 40, window: .seconds(86_400), endsAtReset: true)
    /// The provider's day begins with the first request after the previous day.
    static let dayLength: Int64 = 86_400_000_000

    private struct Flight {
        let process: Int
        let grant: PermitMachine.Grant
        let arrivesAt: Int64
        let actualWeight: Int
        /// `nil` for an answer that never comes.
        var answeredAt: Int64?
        /// When the process notices the answer: later if the process was stopped.
        let releasedAt: Int64
        var hasArrived = false
    }

    private var machine: PermitMachine
    private var random: SeededRandom
    private var time: Int64 = 1_000_000_000_000
    private var bootedAt: Int64
    private var bootNumber = 0
    private var wallOffset: Int64 = 0
    /// Whether a process has looked since the machine had been up for an hour.
    private var hasLooked = true
    private var flights: [Flight] = []
    /// A process that is killed gets a new name.
    private var names = ["a0", "b0", "c0"]
    private var hasAnnouncedCalls = [false, false, false]
    private(set) var arrivals: [Arrival] = []
    /// The provider's days: when each began, and how many requests it counted.
    private(set) var days: [(beganAt: Int64, count: Int)] = []
    private(set) var restarts = 0

    init(_ machine: PermitMachine, seed: UInt64) {
        self.machine = machine
        random = SeededRandom(seed: seed)
        bootedAt = time - 7_200_000_000
    }

    mutating func run(steps: Int) throws {
        for _ in 0..<steps {
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<2: try restart()
            case 2..<5: killSomebody()
            case 5..<8: wallOffset = Int64.random(in: -200_000_000_000...200_000_000_000, using: &random)
            case 8..<11:
                look()
                _ = try machine.prune()
            default: try runTransaction(of: Int.random(in: 0..<3, using: &random))
            }
            let pause: ClosedRange<Int64> =
                switch Int.random(in: 0..<100, using: &random) {
                case 0..<60: 0...300_000
                case 60..<88: 300_000...8_000_000
                case 88..<97: 8_000_000...90_000_000
                default: 600_000_000...30_000_000_000
                }
            pass(Int64.random(in: pause, using: &random))
        }
        pass(3 * Self.dayLength)
    }

    // MARK: Time

    /// Advances the time; requests arrive meanwhile.
    private mutating func pass(_ duration: Int64) {
        time += duration
        arrive(until: time)
    }

    private mutating func arrive(until moment: Int64) {
        let arriving = flights.indices.filter { !flights[$0].hasArrived && flights[$0].arrivesAt <= moment }
        for index in arriving.sorted(by: { flights[$0].arrivesAt < flights[$1].arrivesAt }) {
            let flight = flights[index]
            flights[index].hasArrived = true
            arrivals.append(Arrival(at: flight.arrivesAt, weight: flight.actualWeight))
            if let today = days.last, flight.arrivesAt <= today.beganAt + Self.dayLength {
                days[days.count - 1].count += 1
            } else {
                days.append((flight.arrivesAt, 1))
            }
        }
    }

    /// Sets the machine's clocks. At the first look after an hour, the wall clock is right.
    private mutating func look() {
        if !hasLooked, time - bootedAt >= PermitClock.wallClockDelay.microseconds {
            hasLooked = true
            wallOffset = 0
        }
        machine.clocks = PermitMachine.Clocks(
            boot: "boot \(bootNumber)", now: MonotonicInstant(microseconds: time - bootedAt),
            wallNow: Timestamp(microseconds: time + wallOffset))
    }

    // MARK: Events

    private mutating func runTransaction(of process: Int) throws {
        let ended = flights.filter { $0.process == process && $0.answeredAt != nil && $0.releasedAt <= time }
        var releases: [PermitTransaction.Release] = []
        for flight in ended { releases.append(release(flight)) }
        flights.removeAll { flight in
            flight.process == process && flight.answeredAt != nil && flight.releasedAt <= time
        }
        flights.removeAll { $0.answeredAt == nil && $0.hasArrived }
        var calls: [[PermitTransaction.Call]] = [[], []]
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            let person = ["ada", "ben", "eva"].randomElement(using: &random)!
            let call = machine.call(
                weight: Int.random(in: 0...400, using: &random), person: person,
                timeout: .milliseconds(Int.random(in: 200...4_000, using: &random)))
            calls[Int.random(in: 0...1, using: &random)].append(call)
        }
        look()
        let outcome = try machine.runTransaction(
            interactive: calls[0], background: calls[1], releases: releases, process: names[process],
            hasAnnouncedCalls: hasAnnouncedCalls[process])
        hasAnnouncedCalls[process] = outcome.hasAnnouncedCalls
        for call in calls.joined() {
            guard let granted = outcome.grants[call.id] else { continue }
            try send(
                call, process: process,
                PermitMachine.Grant(slot: granted.slot, grantNumber: granted.grantNumber, at: outcome.at))
        }
    }

    private mutating func send(
        _ call: PermitTransaction.Call, process: Int, _ grant: PermitMachine.Grant
    ) throws {
        if Int.random(in: 0..<10, using: &random) == 0 {
            _ = try machine.runTransaction(
                releases: [grant.release(.unused(at: machine.clocks.now))], process: names[process])
            return
        }
        let deadline = time + 1_000_000 + call.totalTimeout.microseconds
        let arrivesAt = Int64.random(
            in: time...(Bool.random(using: &random) ? min(deadline, time + 50_000) : deadline), using: &random)
        let isAnswered = Int.random(in: 0..<7, using: &random) > 0
        let answeredAt = Int64.random(in: arrivesAt...deadline, using: &random)
        let stopped: Int64 = Int.random(in: 0..<10, using: &random) == 0 ? 40_000_000 : 0
        flights.append(
            Flight(
                process: process, grant: grant, arrivesAt: arrivesAt,
                actualWeight: Int.random(in: 0...call.weight, using: &random),
                answeredAt: isAnswered ? answeredAt : nil, releasedAt: answeredAt + stopped))
    }

    /// The release as the process makes it: the answer ended when the process noticed it, and the reset is as far from
    /// that moment as from the answer's date.
    private mutating func release(_ flight: Flight) -> PermitTransaction.Release {
        let at = MonotonicInstant(microseconds: flight.releasedAt - bootedAt)
        var end = RequestEnd(at: at)
        if Bool.random(using: &random) { end.weight = flight.actualWeight }
        if Int.random(in: 0..<4, using: &random) > 0,
            let day = days.last(where: { $0.beganAt <= flight.arrivesAt })
        {
            let answered = flight.answeredAt ?? flight.arrivesAt
            let date = Int64.random(in: flight.arrivesAt...answered, using: &random) / 1_000_000 * 1_000_000
            let rest = day.beganAt + Self.dayLength - date
            if rest > 0 { end.reset = at.advanced(by: .microseconds(rest)) }
        }
        return flight.grant.release(.ended(end))
    }

    private mutating func killSomebody() {
        let process = Int.random(in: 0..<3, using: &random)
        names[process] += "x"
        hasAnnouncedCalls[process] = false
        // Sent requests continue, but no process receives their answers.
        for index in flights.indices where flights[index].process == process { flights[index].answeredAt = nil }
    }

    private mutating func restart() throws {
        restarts += 1
        // The wall clock is right when a machine that has been up for an hour goes down.
        if time - bootedAt >= PermitClock.wallClockDelay.microseconds { wallOffset = 0 }
        look()
        _ = try machine.runTransaction(process: names[0])
        flights = []
        names = names.map { $0 + "r" }
        hasAnnouncedCalls = [false, false, false]
        time += Int64.random(in: 1_000_000...100_000_000_000, using: &random)
        bootedAt = time
        bootNumber += 1
        time += Int64.random(in: 100_000...120_000_000, using: &random)
        hasLooked = false
        // The wall clock may have any value for an hour.
        wallOffset = Int64.random(in: -200_000_000_000...200_000_000_000, using: &random)
    }
}
