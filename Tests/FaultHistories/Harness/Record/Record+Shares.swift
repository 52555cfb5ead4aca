extension Record {
    /// A share that somebody sent, once or several times.
    package struct Share: Sendable, Equatable {
        /// The number of the user.
        package var user: Int
        /// The ids that answers gave it, with the answer after the last step.
        package var ids: Set<String> = []
        /// The statuses of refusals that are not for lack of the database or the gateway.
        package var refusals: [Int] = []
        /// Whether a request to take it back was sent.
        package var isTakenBack = false
        /// Whether an answer said that it is gone.
        package var wasGone = false
        /// How often it is in the user's list at the end.
        package var listed = 0

        package init(user: Int) {
            self.user = user
        }
    }

    /// Shares that are lost or doubled.
    var brokenShares: [Violation] {
        var texts = unexplainedShares.map { "the share \($0) was in no answer" }
        for (number, share) in shares.sorted(by: { $0.key < $1.key }) {
            if !share.refusals.isEmpty { texts.append("share \(number) was refused: \(share.refusals)") }
            if share.ids.count != 1 {
                texts.append("share \(number) has the ids \(share.ids.sorted().joined(separator: ", "))")
            }
            if share.wasGone && !share.isTakenBack { texts.append("share \(number) is gone, and nobody took it back") }
            let isThere = !share.wasGone
            if share.listed != (isThere ? 1 : 0) { texts.append("share \(number) is listed \(share.listed) times") }
        }
        return texts.map { Violation(.shares, $0) }
    }
}
