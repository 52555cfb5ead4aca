/// Decides what to do at each event of a running search. It does no I/O.
struct SearchWatch {
    /// How long the gateway may be unreachable during a search: it may be restarting.
    static let outageLimit = Duration.seconds(30)

    enum Event {
        /// A status from the event stream or a poll.
        case status(SearchStatus)
        /// A poll failed.
        case failure(GatewayError)
        /// The process got this signal (2 for Ctrl-C).
        case interrupt(Int32)
        case timeout
        /// It is time to redraw the progress bar.
        case tick
    }

    enum Action: Equatable {
        case nothing
        case draw
        case end(End)
    }

    enum End: Equatable {
        /// The search no longer runs.
        case over
        case timedOut
        case interrupted(Int32)
        case failed(GatewayError)
    }

    private(set) var status: SearchStatus
    private var failingSince: ContinuousClock.Instant?

    init(_ status: SearchStatus) {
        self.status = status
    }

    mutating func handle(_ event: Event, at now: ContinuousClock.Instant) -> Action {
        switch event {
        case .status(let news):
            guard news.id == status.id else { return .nothing }
            failingSince = nil
            // The stream and polls race, so a status may be older than the known one.
            guard news.state != .running || news.progress.done >= status.progress.done else { return .nothing }
            status = news
            return news.state == .running ? .draw : .end(.over)
        case .failure(let error):
            let since = failingSince ?? now
            failingSince = since
            guard error.isPassing, since.duration(to: now) < Self.outageLimit else { return .end(.failed(error)) }
            return .nothing
        case .interrupt(let signal): return .end(.interrupted(signal))
        case .timeout: return .end(.timedOut)
        case .tick: return .draw
        }
    }
}
