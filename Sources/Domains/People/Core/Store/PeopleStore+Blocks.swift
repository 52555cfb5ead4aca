import Model
import Storage
import Visibility

extension PeopleStore where Access == WriteTransaction {
    /// Blocks a person: one transaction ends the follows and, by subscribers of `PeopleBlocked`, the requests of both
    /// directions and what else there is between the two. The blocked sees what a missing person looks like.
    ///
    /// - Throws: ``PeopleRefusal``; ``PeopleRefusal/unknownPerson`` also for somebody by whom the viewer is blocked.
    package func block(_ subjectID: String?, by userID: String, now: Timestamp) throws {
        let (viewer, relation) = try pair(userID, subjectID)
        guard try isKnown(relation, to: viewer) else { throw PeopleRefusal.unknownPerson }
        try transaction.visibility.block(relation.person.key, by: viewer.key, now: now)
    }

    /// Ends a block.
    ///
    /// - Throws: ``PeopleRefusal``; `ActLimitReached`.
    package func unblock(_ subjectID: String?, by userID: String, now: Timestamp) throws {
        let (viewer, relation) = try pair(userID, subjectID)
        guard try isKnown(relation, to: viewer) else { throw PeopleRefusal.unknownPerson }
        try transaction.visibility.unblock(relation.person.key, by: viewer.key, now: now)
    }
}
