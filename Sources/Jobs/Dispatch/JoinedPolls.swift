/// Joins polls of the table: one runs at a time, and whatever asks for one meanwhile is served by a single further one.
/// A poll looks at everybody with unfinished jobs, and messages that ask for one come by the hundred.
struct JoinedPolls {
    private var isRunning = false
    private var isAskedAgain = false

    /// Asks for a poll that begins after this call.
    ///
    /// - Returns: whether the caller has to poll, until ``end()`` returns `true`; otherwise somebody else does.
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
    /// - Returns: `false` when another one was asked for meanwhile, which the caller makes.
    mutating func end() -> Bool {
        defer { isAskedAgain = false }
        isRunning = isAskedAgain
        return !isAskedAgain
    }
}
