import Model
import Storage

/// Model calls, which are counted before they are made: so neither a list that is deleted meanwhile, nor a lost answer,
/// nor another list at the same time can exceed a person's budget, and a worker that dies does not repeat a call
/// forever.
extension CurationStore where Access == WriteTransaction {
    /// The most model calls for one list.
    static var mostCalls: Int { 2 }

    enum CallStart: Sendable, Equatable {
        case begun
        /// All calls of the list were made, and the answer to the last one was lost.
        case noneLeft
        /// The person's remaining tokens of the month do not suffice.
        case overBudget
        /// The list needs no call: it has an answer, is made without one, no longer exists, or is finished.
        case isDecided
    }

    /// Counts a model call that is about to be made.
    ///
    /// - Parameters:
    ///   - sent: what is sent to the model.
    ///   - tokens: the estimated tokens of question and answer.
    ///   - budget: the person's most tokens in a month; `nil` for no limit.
    func beginCall(
        of id: String, userID: String, sent: String, tokens: Int, budget: Int?, now: Timestamp
    ) throws -> CallStart {
        guard var list = try list(id, userID: userID), !list.state.isFinished, list.answer == nil, list.fallback == nil
        else { return .isDecided }
        // A pending call was started by a run that died or was handed back.
        list.loseCall()
        guard list.calls < Self.mostCalls else {
            try write(list)
            return .noneLeft
        }
        if let budget, try tokensUsed(userID: userID, at: now) > budget - tokens { return .overBudget }
        let month = UsageMonth(now).text
        try addUsage(tokens, userID: userID, month: month)
        list.calls += 1
        (list.pendingCall, list.state, list.sent) = (PendingCall(tokens: tokens, month: month), .asking, sent)
        try write(list)
        return .begun
    }

    /// Replaces the estimate of the call that was started last with its actual usage.
    func recordUsage(of list: inout CuratedList, _ reply: ModelReply) throws {
        if let pending = list.pendingCall {
            try addUsage(reply.tokens.total - pending.tokens, userID: list.userID, month: pending.month)
        }
        list.add(reply)
    }

    /// Reverts the count of a call that was not made, or that the provider refused.
    func cancelCall(of list: inout CuratedList) throws {
        guard let pending = list.pendingCall else { return }
        try addUsage(-pending.tokens, userID: list.userID, month: pending.month)
        list.pendingCall = nil
        list.calls -= 1
    }

    private func addUsage(_ tokens: Int, userID: String, month: String) throws {
        try transaction.run(
            """
            INSERT INTO curation_usage (user_id, month, tokens) VALUES (\(userID), \(month), \(max(0, tokens)))
            ON CONFLICT (user_id, month) DO UPDATE SET tokens = CASE
                WHEN curation_usage.tokens + \(tokens) > 0 THEN curation_usage.tokens + \(tokens) ELSE 0 END
            """)
    }
}
