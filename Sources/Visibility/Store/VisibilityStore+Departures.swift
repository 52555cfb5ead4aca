import Storage

/// How devices learn that a person no longer exists for another one: by a block, or by an erasure.
///
/// Whoever was blocked must not find out which of the two it was. So both are one change with the same two items:
/// everything of the person is gone, and so is the person. Who has nothing of the person learns of neither.
extension VisibilityStore where Access == WriteTransaction {
    /// A person no longer exists for another one.
    ///
    /// - Parameter change: under which number the other one learns it; `nil` for the next one.
    private func recordDeparture(of person: PersonKey, for other: PersonKey, change: Int64? = nil) throws {
        try forgetChange(of: person, for: other)
        guard let userID = try activeUserIDs(of: [other])[other], let id = try userIDs(of: [person])[person] else {
            return
        }
        // Items of one number are reported in the order of their kinds.
        try transaction.recordGone(
            [(.itemsOf, id), (.person, id)], userID: userID, change: try change ?? transaction.nextChange())
        transaction.recordChange(of: [userID], topic: .people)
    }

    /// Whether a person has something of another one, or had it when changes were last read.
    private func knows(_ other: PersonKey, _ person: PersonKey) throws -> Bool {
        try transaction.row("SELECT 1 FROM relation_changes WHERE person = \(person) AND other = \(other)") != nil
    }

    private func forgetChange(of other: PersonKey, for person: PersonKey) throws {
        try transaction.run("DELETE FROM relation_changes WHERE person = \(person) AND other = \(other)")
    }

    // MARK: Blocks

    /// From now on the two do not exist for each other.
    ///
    /// - Parameters:
    ///   - isFollower: whether the blocked person has followed the blocker.
    ///   - endOthers: ends what else there is between the two. As with an erasure, a follower learns first that the person
    ///     is gone, and everybody else after that.
    func recordBlock(
        of blocked: PersonKey, by blocker: PersonKey, isFollower: Bool, _ endOthers: () throws -> Void
    ) throws {
        try recordDeparture(of: blocked, for: blocker)
        if isFollower { try recordDeparture(of: blocker, for: blocked) }
        try endOthers()
        if try knows(blocker, blocked) { try recordDeparture(of: blocker, for: blocked) }
    }

    // MARK: Erasures

    /// Ends a follow of somebody whose erasure has begun.
    ///
    /// Devices that have read the beginning of the erasure know that the person is gone
    /// (``PersonChange/Subject/departure``). The others learn it under the same number, so that nobody does twice.
    func eraseFollow(of erased: PersonKey, by follower: PersonKey) throws {
        guard try deleteFollow(of: erased, by: follower) else { return }
        let beginning: Int64? = try transaction.row(
            "SELECT profile_change FROM author_log WHERE author = \(erased) AND profile_change > 0")?["profile_change"]
        try recordDeparture(of: erased, for: follower, change: beginning)
        try forgetChange(of: follower, for: erased)
    }

    /// Deletes that something has changed between a person who is being erased and another one, who learns that the
    /// person is gone unless they do already.
    func recordErasure(of erased: PersonKey, for other: PersonKey) throws {
        try forgetChange(of: other, for: erased)
        if try knows(erased, other) { try recordDeparture(of: erased, for: other) }
    }
}
