import Model
import Storage

/// What a lookup found out about one artist or area.
package struct ConcertAnswer: Sendable {
    package var subjectKey: String
    package var coverage: SearchOutcome.Coverage
    /// Learned or confirmed.
    package var attractionID: String?
    package var events: [ConcertEvent]
    /// Why something is missing.
    package var gap: ProviderFailure?
    /// A remark about how the answer came about, where nothing is missing.
    package var remark: ConcertWarningCode?

    init(
        subjectKey: String, attractionID: String?, events: [ConcertEvent], gap: ProviderFailure?,
        hasFailed: Bool = false
    ) {
        self.subjectKey = subjectKey
        self.attractionID = attractionID
        self.events = events
        self.gap = gap
        coverage = hasFailed ? .failed : gap == nil ? .complete : .partial
    }

    package var warningCode: ConcertWarningCode? { gap.map(ConcertWarningCode.init) ?? remark }
    /// When the quota or the share comes back, for ``ConcertWarningCode/quotaExhausted`` and
    /// ``ConcertWarningCode/dailyShareUsed``.
    package var resetsAt: Timestamp? {
        gap.flatMap { [.quotaExhausted, .shareUsed].contains($0.kind) ? $0.until : nil }
    }

    static func failed(_ key: String, _ failure: ProviderFailure) -> ConcertAnswer {
        ConcertAnswer(subjectKey: key, attractionID: nil, events: [], gap: failure, hasFailed: true)
    }

    static func notFound(_ key: String) -> ConcertAnswer {
        var answer = ConcertAnswer(subjectKey: key, attractionID: nil, events: [], gap: nil)
        answer.coverage = .notFound
        return answer
    }

    /// Keeps the answer and tells every search that waits for it, in the transaction that ends the
    /// lookup. A failed one erases nothing that is known from before.
    package func store(jobID: String, now: Timestamp, in transaction: WriteTransaction) throws {
        let isAnswer = coverage == .complete || coverage == .notFound
        if isAnswer || coverage == .partial || attractionID != nil {
            try transaction.concerts.storeAnswer(
                subjectKey: subjectKey, status: coverage.rawValue, warningCode: warningCode?.rawValue,
                attractionID: attractionID,
                events: try events.map { ($0.id, try $0.encodedForStorage()) }, isComplete: isAnswer, now: now)
        }
        try transaction.concerts.clearLookup(subjectKey: subjectKey, jobID: jobID)
        let searches = try transaction.concerts.settleWaiters(
            jobID: jobID, subjectKey: subjectKey, status: coverage.rawValue, warningCode: warningCode?.rawValue,
            resetsAt: resetsAt)
        for search in searches { try transaction.concerts.touchSearch(id: search) }
    }
}
