/// Joins polls of the table: one runs at a time, and all requests that arrive meanwhile are served by a single further
/// poll. A poll looks at everybody with unfinished jobs, and messages that request one arrive by the hundred.
struct PollCoalescer {
    private var isRunning = false
    private var isAskedAgain = false

    /// Asks for a poll that begins after this call.
    ///
    /// - Returns: whether the caller has to poll until ``end()`` returns `true`; otherwise another caller does.
    mutating func begin() -> Bool {
        guard !isRunning else {
            isAskedAgain = true
            return false
        }
        isRunning = true
        return true
    }

    /// Ends a poll.
    ///
    /// - Returns: `false` if another poll was requested meanwhile, which the caller has to run.
    mutating func end() -> Bool {
        defer { isAskedAgain = false }
        isRunning = isAskedAgain
        return !isAskedAgain
    }
}
