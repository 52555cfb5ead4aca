import Model
import Storage
import Visibility

/// Asking for blends, and answering. Each act looks at both people in its own transaction.
extension CurationStore where Access == WriteTransaction {
    /// Asks somebody for their consent, unless there is an answer already. A person who was asked by the other agrees
    /// by asking.
    ///
    /// A name that nobody has, and a person who is suspended or has blocked the one who asks, are recorded like somebody
    /// who does not answer, so that neither this nor a later answer tells them apart. A private profile hides a person,
    /// but they are asked.
    ///
    /// - Parameter username: that of the person who asks.
    /// - Returns: the row of the person who asks: accepted, or asking.
    /// - Throws: ``CurationRefusal``: `blocked` if the person has blocked the other, `alone`; `ActLimitReached`.
    package func ask(
        _ subject: BlendSubject, by userID: String, named username: String, now: Timestamp
    ) throws -> BlendPartner {
        guard let viewer = try transaction.visibility.viewer(userID: userID) else { throw CurationRefusal.noList }
        let relation = try transaction.visibility.relation(of: viewer, to: subject.personID)
        if let relation {
            guard !relation.isSelf else { throw CurationRefusal.alone }
            guard !relation.isBlockShown else { throw CurationRefusal.blocked }
        }
        var own = try partner(shownAs: subject, to: viewer, relation)
        if let own, own.state == .accepted {
            // They may have been asked again while they were suspended.
            try remove(BlendPartner.unknownID(subject.name), of: userID)
            return own
        }
        let reached = relation.flatMap { $0.canSee(.act) ? $0.person.userID : nil }
        let theirs = try partner(userID, of: reached ?? "")
        if let reached, own?.state == .asked || theirs?.state == .asking {
            try agree((userID, username), (reached, subject.name), now: now)
            own = try partner(reached, of: userID)
        } else {
            if own == nil { try transaction.visibility.count([.blendRequests], by: viewer.key, now: now) }
            own = try request(subject, reaching: reached, by: userID, own, now: now)
            if let reached, theirs == nil {
                // What they asked for under this name was not meant for whoever has it now.
                try remove(BlendPartner.unknownID(username), of: reached)
                try set(.asked, userID, of: reached, now: now)
            }
        }
        guard let own else { throw CurationRefusal.noList }
        return own
    }

    /// Writes a person's request.
    ///
    /// - Parameter former: the request under the same name that the person has made before.
    private func request(
        _ subject: BlendSubject, reaching reached: String?, by userID: String, _ former: BlendPartner?, now: Timestamp
    ) throws -> BlendPartner? {
        // They may have been asked under a name that they no longer have.
        let reached = try reached.flatMap { try partner($0, of: userID) == nil ? $0 : nil }
        guard let former else {
            let partnerID = reached ?? BlendPartner.unknownID(subject.name)
            try set(.asking, partnerID, of: userID, name: subject.name, now: now)
            return try partner(partnerID, of: userID)
        }
        guard let reached else { return former }
        if let other = former.personID, try partner(userID, of: other)?.state == .asked {
            try remove(userID, of: other)
        }
        let waiting = try waitingBlends(userID: userID, with: former.personID, named: former.name)
        try redirect(former, to: reached)
        for list in waiting { try set(partner: reached, of: list) }
        return try partner(reached, of: userID)
    }

    /// Records a person's answer to somebody who has asked, or blocks somebody whom they may see or who has asked.
    ///
    /// - Parameter username: that of the person who answers.
    /// - Throws: ``CurationRefusal/notAsked``, also where the person may not know that there is such a person.
    package func answer(
        _ answer: BlendAnswer, to subject: BlendSubject, by userID: String, named username: String, now: Timestamp
    ) throws {
        let (viewer, relation) = try pair(userID, subject)
        let own = try partner(shownAs: subject, to: viewer, relation)
        switch answer {
        case .accept:
            guard let relation, own?.state == .asked else { throw CurationRefusal.notAsked }
            try agree((userID, username), (relation.person.userID, subject.name), now: now)
        case .decline:
            guard let own, own.state == .asked else { throw CurationRefusal.notAsked }
            try end(own, now: now)
        case .block:
            guard let relation, relation.canSee(.existence) || relation.isBlockShown || own?.state ?? .asking != .asking
            else { throw CurationRefusal.notAsked }
            // The subscriber of the block ends what there is between the two.
            try transaction.visibility.block(relation.person.key, by: viewer.key, now: now)
        }
    }

    /// Ends an agreement or a request, or a block. What the block ended does not come back.
    ///
    /// - Throws: ``CurationRefusal/notAsked`` if there is none; `ActLimitReached` for a block.
    package func end(_ subject: BlendSubject, of userID: String, now: Timestamp) throws {
        let (viewer, relation) = try pair(userID, subject)
        if let relation, relation.isBlockShown {
            try transaction.visibility.unblock(relation.person.key, by: viewer.key, now: now)
            return
        }
        guard let own = try partner(shownAs: subject, to: viewer, relation) else { throw CurationRefusal.notAsked }
        try end(own, now: now)
    }

    private func pair(_ userID: String, _ subject: BlendSubject) throws -> (Viewer, Relation?) {
        guard let viewer = try transaction.visibility.viewer(userID: userID) else { throw CurationRefusal.notAsked }
        let relation = try transaction.visibility.relation(of: viewer, to: subject.personID)
        if let relation, relation.isSelf { throw CurationRefusal.notAsked }
        return (viewer, relation)
    }

    private func agree(
        _ one: (id: String, name: String), _ other: (id: String, name: String), now: Timestamp
    ) throws {
        for (person, partner) in [(one, other), (other, one)] {
            // A request that reached nobody is answered as well.
            try remove(BlendPartner.unknownID(partner.name), of: person.id)
            try set(.accepted, partner.id, of: person.id, now: now)
        }
    }

    private func end(_ own: BlendPartner, now: Timestamp) throws {
        try endRow(own, now: now)
        guard let partnerID = own.personID, let theirs = try partner(own.userID, of: partnerID) else { return }
        // Whoever withdraws a request does not withdraw that of the other.
        if own.state == .asking, theirs.state == .asking { return }
        try endRow(theirs, now: now)
    }

    /// Deletes a row, and fails the blends that waited for its consent.
    func endRow(_ row: BlendPartner, now: Timestamp) throws {
        try remove(row.partnerID, of: row.userID)
        for list in try waitingBlends(userID: row.userID, with: row.personID, named: row.name) {
            try fail(list.id, userID: row.userID, .notAgreed, now: now)
        }
    }
}

extension Relation {
    /// Whether the viewer has blocked the person, and is shown that.
    fileprivate var isBlockShown: Bool { hasBlocked && person.state == .active }
}
