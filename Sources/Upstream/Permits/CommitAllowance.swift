import Model

/// The time that a grant allows for its own commit, based on the last commits of this process.
///
/// The hard deadline of a grant is written in the transaction, before the duration of its commit is known. On most
/// disks a commit takes a few milliseconds, and nothing is allowed for it: the second in which the request may begin
/// includes them. On a disk that takes longer, no request could ever begin in time. There, the hard deadline is moved
/// by what recent commits have taken, so slots of requests without an answer stay busy for longer.
struct CommitAllowance: Sendable {
    /// Commits that take less time need no allowance.
    static let threshold = Permit.startLimit / 2
    /// The longest allowance. Writes that wait for longer than a few seconds are refused anyway.
    static let longest = Duration.seconds(30)
    /// How many of the last commits are considered.
    private static let memory = 8

    private var times: [Duration] = []

    /// - Parameter time: the time from the grant until the process learned of it.
    mutating func record(_ time: Duration) {
        times.append(time)
        if times.count > Self.memory { times.removeFirst() }
    }

    /// Twice the longest of the last commits, since the next one may take longer.
    var duration: Duration {
        guard let longest = times.max(), longest >= Self.threshold else { return .zero }
        return min(longest * 2, Self.longest)
    }
}
