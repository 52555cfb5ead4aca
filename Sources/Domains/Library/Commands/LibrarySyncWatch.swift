import CommandSupport

/// Decides what to do at each event of a sync that a command waits for. It does no I/O.
struct LibrarySyncWatch {
    enum Event {
        /// A status from the event stream or a poll.
        case status(LibrarySyncDocument)
        /// The stream was opened, broke or was silent for a while, so that changes may have been missed.
        case uncertain
        /// A poll failed.
        case failure(GatewayError)
        /// The process got this signal (2 for Ctrl-C).
        case interrupt(Int32)
        case timeout
    }

    enum Next: Equatable {
        case wait
        /// Show ``LibrarySyncWatch/shown``, which has changed.
        case show
        /// Poll the gateway, and pass the answer.
        case poll
        case end(FollowingEnd)
    }

    private let id: String
    /// The last known status of the awaited sync; `nil` before the first status.
    private(set) var document: LibrarySyncDocument?
    /// The status to show: that of the awaited sync, or of one that runs before it.
    private(set) var shown: LibrarySyncStatus?
    private var outage = GatewayOutage()

    /// - Parameter id: the sync that was requested.
    init(_ id: String) {
        self.id = id
    }

    mutating func handle(_ event: Event, at now: ContinuousClock.Instant) -> Next {
        switch event {
        case .status(let news):
            outage.end()
            return handle(news)
        case .uncertain:
            return .poll
        case .failure(let error):
            return outage.mayPass(error, at: now) ? .wait : .end(.failed(error))
        case .interrupt(let signal): return .end(.interrupted(signal))
        case .timeout: return .end(.timedOut)
        }
    }

    /// Ids are in the order of the requests. A sync that was requested later runs after the awaited one, and is awaited
    /// instead; one that was requested earlier runs before it.
    private mutating func handle(_ news: LibrarySyncDocument) -> Next {
        let awaited = document?.status.id ?? id
        guard news.status.id >= awaited else {
            guard shown != news.status, document?.status.state ?? .queued == .queued else { return .wait }
            shown = news.status
            return .show
        }
        // The stream and polls race: an older status does not replace an end.
        if let known = document?.status, known.id == news.status.id, known.state.isFinished { return .wait }
        guard news != document else { return .wait }
        document = news
        // While the awaited sync is queued, the progress of the running one says more.
        if news.status.state == .queued, shown?.state == .running { return .wait }
        shown = news.status
        return news.status.state.isFinished ? .end(.over) : .show
    }
}
