import Model
import Platform

/// Stops calls to an upstream that fails, and probes with one request at a time whether it works again.
///
/// Connection failures, timeouts and 5xx count as failures. Any other answer, even a malformed one, proves that the
/// upstream works. The breaker opens when the latest results, or most of the recent ones, are failures of several
/// different calls: one request that always fails must not stop the others.
package struct CircuitBreaker: Sendable {
    package struct Settings: Sendable, Equatable {
        /// How many consecutive failures open it.
        package var consecutiveFailures = 8
        /// How many of the latest results are considered.
        package var window = 20
        /// The share of failures in a full window that opens it.
        package var failureShare = 0.6
        /// How many different calls those failures must come from.
        package var distinctCalls = 3
        /// How long the breaker stays open at first; each failed probe doubles it, up to ``longestOpenDuration``.
        package var openDuration = Duration.seconds(5).dividedInTests
        package var longestOpenDuration = Duration.seconds(60).dividedInTests

        package init() {}

        /// The settings of a breaker that failures never open.
        static let neverOpen: Settings = {
            var settings = Settings()
            (settings.consecutiveFailures, settings.distinctCalls) = (.max, .max)
            return settings
        }()
    }

    package enum Event: Sendable, Equatable {
        /// A call wants to send.
        ///
        /// - Parameter urgency: an interactive call takes over a probe that a background call has not sent yet, since
        ///   the background call may wait long for its permit.
        case requested(UpstreamRequest.Urgency)
        /// A call has its permit, and is about to send.
        case sending(Pass)
        /// The upstream answered, but not with 5xx.
        case succeeded(Pass)
        case failed(Pass, call: UInt64)
        /// The request was never sent, or its answer was not awaited: this proves nothing.
        case abandoned(Pass)
    }

    package enum Action: Sendable, Equatable {
        case proceed(Pass)
        /// Ask again at that time.
        case wait(until: MonotonicInstant)
        /// Ask again when the probe that is under way has ended.
        case waitForProbe
        /// Waiting calls may ask again.
        case resumeWaiting
        case opened(until: MonotonicInstant)
        case nothing
    }

    /// Permission to send; the result is reported with it.
    package struct Pass: Sendable, Equatable {
        fileprivate let generation: UInt64
    }

    private enum State {
        case closed
        case open(until: MonotonicInstant)
        /// - Parameter isUrgent: whether the probe is an interactive call or was already sent, so that no other call
        ///   takes it over.
        case probing(isUrgent: Bool)
    }

    private let settings: Settings
    private var state = State.closed
    /// Increases with every change of state. Results from earlier generations are ignored.
    private var generation: UInt64 = 0
    /// The latest results, oldest first: the number of the failed call, or `nil` for a success.
    private var recent: [UInt64?] = []
    private var openings = 0

    package init(settings: Settings = Settings()) {
        self.settings = settings
    }

    /// Until when the breaker is open; `nil` when it is not.
    package var openUntil: MonotonicInstant? {
        if case .open(let until) = state { until } else { nil }
    }

    /// Whether all calls may send.
    package var isClosed: Bool {
        if case .closed = state { true } else { false }
    }

    /// Whether the breaker is still in the state in which it gave `pass`. Otherwise the pass is void.
    package func isCurrent(_ pass: Pass) -> Bool { pass.generation == generation }

    package mutating func handle(_ event: Event, now: MonotonicInstant) -> Action {
        switch event {
        case .requested(let urgency): request(urgency, now: now)
        case .sending(let pass): send(pass)
        case .succeeded(let pass): pass.generation == generation ? succeed() : .nothing
        case .failed(let pass, let call): pass.generation == generation ? fail(call, now: now) : .nothing
        case .abandoned(let pass): pass.generation == generation ? abandon(now: now) : .nothing
        }
    }

    private mutating func request(_ urgency: UpstreamRequest.Urgency, now: MonotonicInstant) -> Action {
        switch state {
        case .closed: return .proceed(Pass(generation: generation))
        case .probing(let isUrgent):
            guard urgency == .interactive, !isUrgent else { return .waitForProbe }
        case .open(let until):
            guard now >= until else { return .wait(until: until) }
        }
        change(to: .probing(isUrgent: urgency == .interactive))
        return .proceed(Pass(generation: generation))
    }

    private mutating func send(_ pass: Pass) -> Action {
        guard isCurrent(pass) else { return .nothing }
        if case .probing = state { state = .probing(isUrgent: true) }
        return .proceed(pass)
    }

    private mutating func succeed() -> Action {
        guard case .probing = state else {
            remember(nil)
            return .nothing
        }
        recent = []
        openings = 0
        change(to: .closed)
        return .resumeWaiting
    }

    private mutating func fail(_ call: UInt64, now: MonotonicInstant) -> Action {
        if case .probing = state { return open(now: now) }
        remember(call)
        return mustOpen ? open(now: now) : .nothing
    }

    private mutating func abandon(now: MonotonicInstant) -> Action {
        guard case .probing = state else { return .nothing }
        change(to: .open(until: now))
        return .resumeWaiting
    }

    private mutating func open(now: MonotonicInstant) -> Action {
        let duration = min(settings.longestOpenDuration, settings.openDuration * (1 << min(openings, 20)))
        openings += 1
        recent = []
        let until = now.advanced(by: duration)
        change(to: .open(until: until))
        return .opened(until: until)
    }

    private mutating func change(to new: State) {
        state = new
        generation += 1
    }

    private mutating func remember(_ failedCall: UInt64?) {
        recent.append(failedCall)
        if recent.count > settings.window { recent.removeFirst() }
    }

    private var mustOpen: Bool {
        let run = recent.reversed().prefix { $0 != nil }.compactMap { $0 }
        if run.count >= settings.consecutiveFailures, Set(run).count >= settings.distinctCalls { return true }
        let failures = recent.compactMap { $0 }
        return recent.count == settings.window
            && Double(failures.count) >= settings.failureShare * Double(settings.window)
            && Set(failures).count >= settings.distinctCalls
    }
}
