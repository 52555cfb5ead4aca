import Model

/// Stops calls to an upstream that fails, and finds out with one request at a time whether it is back.
///
/// Failures are connection failures, timeouts and 5xx; whatever else was answered, even nonsense, proves that the
/// upstream lives. It opens when the latest results are all failures, or most of the recent ones are, and several
/// different calls were hit: one request that always fails must not shut out the others.
package struct CircuitBreaker: Sendable {
    package struct Settings: Sendable, Equatable {
        /// Failures in a row that open it.
        package var consecutiveFailures = 8
        /// How many of the latest results are looked at.
        package var window = 20
        /// The share of failures in a full window that opens it.
        package var failureShare = 0.6
        /// From how many different calls those failures must come.
        package var distinctCalls = 3
        /// How long it stays open at first; twice as long after each failed probe.
        package var openDuration = Duration.seconds(5)
        package var longestOpenDuration = Duration.seconds(60)

        package init() {}
    }

    package enum Event: Sendable, Equatable {
        /// A call would like to send.
        case requested
        /// The upstream answered (not with 5xx).
        case succeeded(Pass)
        case failed(Pass, call: UInt64)
        /// The request never left, or nobody waited for its answer: it proves nothing.
        case abandoned(Pass)
    }

    package enum Action: Sendable, Equatable {
        case proceed(Pass)
        /// Ask again at that time.
        case wait(until: MonotonicInstant)
        /// Ask again once the probe that is under way has ended.
        case waitForProbe
        /// Waiting calls may ask again.
        case resumeWaiting
        case opened(until: MonotonicInstant)
        case nothing
    }

    /// Permission to send, to be given back with the result.
    package struct Pass: Sendable, Equatable {
        fileprivate let era: UInt64
    }

    private enum State {
        case closed
        case open(until: MonotonicInstant)
        case probing
    }

    private let settings: Settings
    private var state = State.closed
    /// Rises with every change of state: results of passes from before say nothing about now.
    private var era: UInt64 = 0
    /// The latest results, oldest first: the failing call, or `nil` for a success.
    private var recent: [UInt64?] = []
    private var openings = 0

    package init(settings: Settings = Settings()) {
        self.settings = settings
    }

    /// Until when nothing is let through, where it is open.
    package var openUntil: MonotonicInstant? {
        if case .open(let until) = state { until } else { nil }
    }

    /// Whether calls pass as they come.
    package var isClosed: Bool {
        if case .closed = state { true } else { false }
    }

    /// Whether it has stood still since it gave `pass`: one that has opened since takes back what it allowed.
    package func isCurrent(_ pass: Pass) -> Bool { pass.era == era }

    package mutating func handle(_ event: Event, now: MonotonicInstant) -> Action {
        switch event {
        case .requested: request(now: now)
        case .succeeded(let pass): pass.era == era ? succeed() : .nothing
        case .failed(let pass, let call): pass.era == era ? fail(call, now: now) : .nothing
        case .abandoned(let pass): pass.era == era ? abandon(now: now) : .nothing
        }
    }

    private mutating func request(now: MonotonicInstant) -> Action {
        switch state {
        case .closed: return .proceed(Pass(era: era))
        case .probing: return .waitForProbe
        case .open(let until):
            guard now >= until else { return .wait(until: until) }
            change(to: .probing)
            return .proceed(Pass(era: era))
        }
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
        return isAiling ? open(now: now) : .nothing
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
        era += 1
    }

    private mutating func remember(_ failedCall: UInt64?) {
        recent.append(failedCall)
        if recent.count > settings.window { recent.removeFirst() }
    }

    private var isAiling: Bool {
        let run = recent.reversed().prefix { $0 != nil }.compactMap { $0 }
        if run.count >= settings.consecutiveFailures, Set(run).count >= settings.distinctCalls { return true }
        let failures = recent.compactMap { $0 }
        return recent.count == settings.window
            && Double(failures.count) >= settings.failureShare * Double(settings.window)
            && Set(failures).count >= settings.distinctCalls
    }
}
