import Model
import Storage
import Visibility

/// The SQL of what people do toward others. Read or written in a transaction: `transaction.people`.
///
/// Every act finds the viewer and the other person, and checks everything about them, in the transaction that writes:
/// what somebody was shown before may have changed.
package struct PeopleStore<Access: SQLReader> {
    let transaction: Access
}

extension SQLReader {
    package var people: PeopleStore<Self> { PeopleStore(transaction: self) }
}

extension PeopleStore {
    /// A viewer and the person whom they name, in any state and with any visibility.
    ///
    /// - Parameter subjectID: `nil` for a name that nobody has: the statements are the same.
    /// - Throws: ``PeopleRefusal/unknownPerson`` also for a viewer who was suspended or erased meanwhile;
    ///   ``PeopleRefusal/selfTarget``.
    func pair(_ userID: String, _ subjectID: String?) throws -> (viewer: Viewer, relation: Relation) {
        guard let viewer = try transaction.visibility.viewer(userID: userID) else {
            throw PeopleRefusal.unknownPerson
        }
        guard let relation = try transaction.visibility.relation(of: viewer, to: subjectID) else {
            throw PeopleRefusal.unknownPerson
        }
        guard !relation.isSelf else { throw PeopleRefusal.selfTarget }
        return (viewer, relation)
    }

    /// Whether the viewer knows a person whom they may not see otherwise, since the person follows them or asks to, or
    /// because they have blocked the person.
    func isKnown(_ relation: Relation, to viewer: Viewer) throws -> Bool {
        if relation.hasBlocked && relation.person.state == .active { return true }
        return try showsCard(relation, to: viewer)
    }

    /// Whether the viewer sees the person's name and picture. Whoever follows somebody, or asks to, shows them these
    /// with it, also with a private profile.
    package func showsCard(_ relation: Relation, to viewer: Viewer) throws -> Bool {
        if relation.canSee(.existence) { return true }
        guard relation.canSee(.act) else { return false }
        return try relation.followsViewer || hasRequest(of: viewer.key, by: relation.person.key)
    }
}
