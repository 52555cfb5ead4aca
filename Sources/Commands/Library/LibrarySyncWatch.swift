/// Decides what to do at each event of a sync that is waited for. A value without I/O.
struct LibrarySyncWatch {
    /// How long the gateway may be unreachable during a sync, since it may be restarting.
    static let outageLimit = Duration.seconds(30)

    enum Event {
        /// From the event stream or a poll.
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
        case end(End)
    }

    enum End: Equatable {
        case over
        case timedOut
        case interrupted(Int32)
        case failed(GatewayError)
    }

    private let id: String
    /// The last known status of the sync that is waited for; `nil` before the first.
    private(set) var document: LibrarySyncDocument?
    /// The status to show: that of the same sync, or of one that it waits for.
    private(set) var shown: LibrarySyncStatus?
    private var failingSince: ContinuousClock.Instant?

    /// - Parameter id: the sync that was asked for.
    init(_ id: String) {
        self.id = id
    }

    mutating func handle(_ event: Event, at now: ContinuousClock.Instant) -> Next {
        switch event {
        case .status(let news):
            failingSince = nil
            return take(news)
        case .uncertain:
            return .poll
        case .failure(let error):
            let since = failingSince ?? now
            failingSince = since
            guard error.isPassing, since.duration(to: now) < Self.outageLimit else { return .end(.failed(error)) }
            return .wait
        case .interrupt(let signal): return .end(.interrupted(signal))
        case .timeout: return .end(.timedOut)
        }
    }

    /// Ids are in the order in which syncs were asked for. One asked for later runs after this one, and is waited for
    /// instead; one asked for before runs before.
    private mutating func take(_ news: LibrarySyncDocument) -> Next {
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
        // While it waits, the progress of the one before it says more.
        if news.status.state == .queued, shown?.state == .running { return .wait }
        shown = news.status
        return news.status.state.isFinished ? .end(.over) : .show
    }
}
