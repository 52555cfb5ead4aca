import Accounts
import Gateway
import Model
import People
import Storage
import Visibility

extension EventSource {
    /// The people whom a person follows, who follow them, or who ask to, as lists show them, and everything of a person
    /// whose profile has closed or whose erasure has begun. What is sent is decided at the moment of sending, by what the
    /// person may see then.
    static func people(_ pictures: PicturePaths) -> EventSource {
        EventSource(
            .person, topics: [.people], goneKinds: [.itemsOf], reportedGoneKinds: [.itemsOf], reportsAuthors: true
        ) { reader, userID, after, limit in
            guard let viewer = try reader.visibility.viewer(userID: userID) else { return [] }
            let changes = try reader.visibility.changes(for: viewer, after: after, limit: limit)
            let cards = try PersonCard.cards(of: changes.map(\.userID), seenBy: viewer, in: reader)
            return changes.flatMap { Change.changes($0, card: cards[$0.userID], pictures) }
        }
    }
}

extension EventSource.Change {
    /// What programs learn of a change.
    ///
    /// - Parameter card: `nil` for somebody whom the viewer may not see.
    fileprivate static func changes(
        _ change: PersonChange, card: PersonCard?, _ pictures: PicturePaths
    ) -> [EventSource.Change] {
        func gone(_ kind: ItemKind) -> Self { Self(number: change.change, gone: kind, id: change.userID) }
        let item = card.map { card in
            Self(
                number: change.change, id: card.person.userID,
                data: JSONWriter.object { card.writeMembers(to: &$0, pictures) })
        }
        return switch change.subject {
        case .act, .profile: [item ?? gone(.person)]
        // The person may still be in a list, such as that of the followers.
        case .closing: [gone(.itemsOf)] + [item].compactMap(\.self)
        // As `VisibilityStore.recordDeparture` records it for those who have not read this.
        case .departure: [gone(.itemsOf), gone(.person)]
        }
    }
}

extension PersonCard {
    /// The cards of people by their ids, without those whom the viewer may not see. A page of changes takes three
    /// statements rather than three for each of its people.
    fileprivate static func cards(
        of userIDs: [String], seenBy viewer: Viewer, in reader: ReadTransaction
    ) throws -> [String: PersonCard] {
        let relations = try reader.visibility.relations(of: viewer, to: Set(userIDs))
            .filter { try reader.people.showsCard($0, to: viewer) }
        guard !relations.isEmpty else { return [:] }
        let summaries = try reader.accounts.summaries(ofUsers: relations.map(\.person.userID))
        let requests = try reader.people.requests(between: viewer, and: relations.map(\.person.key))
        return relations.reduce(into: [:]) { cards, relation in
            guard let summary = summaries[relation.person.userID] else { return }
            let standing = Standing(relation)
            cards[summary.userID] = PersonCard(
                summary, standing, follow: requests.state(toward: standing),
                asksSince: requests.since(of: standing))
        }
    }
}
