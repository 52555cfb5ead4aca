import CommandSupport

/// Decides what to do at each event of a running search. It does no I/O.
struct SearchWatch {
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
        case end(FollowingEnd)
    }

    private(set) var status: SearchStatus
    private var outage = GatewayOutage()

    init(_ status: SearchStatus) {
        self.status = status
    }

    mutating func handle(_ event: Event, at now: ContinuousClock.Instant) -> Action {
        switch event {
        case .status(let news):
            guard news.id == status.id else { return .nothing }
            outage.end()
            // The stream and polls race, so a status may be older than the known one.
            guard news.state != .running || news.progress.done >= status.progress.done else { return .nothing }
            status = news
            return news.state == .running ? .draw : .end(.over)
        case .failure(let error):
            return outage.mayPass(error, at: now) ? .nothing : .end(.failed(error))
        case .interrupt(let signal): return .end(.interrupted(signal))
        case .timeout: return .end(.timedOut)
        case .tick: return .draw
        }
    }
}
