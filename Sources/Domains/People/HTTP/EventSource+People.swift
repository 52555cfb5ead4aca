import Accounts
import Gateway
import Model
import People
import Storage
import Visibility

extension EventSource {
    /// The people whom a person follows, who follow them, or who ask to, as lists show them. What is sent is decided at
    /// the moment of sending, by what the person may see then.
    static func people(_ pictures: PicturePaths) -> EventSource {
        EventSource(
            .person, topics: [.people], goneKinds: [.itemsOf], reportsAuthors: true
        ) { reader, userID, after, limit in
            guard let viewer = try reader.visibility.viewer(userID: userID) else { return [] }
            let changes = try reader.visibility.changes(for: viewer.key, after: after, limit: limit)
            let cards = try PersonCard.cards(of: changes.map(\.userID), seenBy: viewer, in: reader)
            return changes.map { Change($0, card: cards[$0.userID], pictures) }
        }
    }
}

extension EventSource.Change {
    /// - Parameter card: `nil` for somebody whom the viewer may not see.
    fileprivate init(_ change: PersonChange, card: PersonCard?, _ pictures: PicturePaths) {
        guard let card else {
            // A profile that closed takes everything with it that its person had shown.
            self.init(number: change.change, gone: change.isOfAuthor ? .itemsOf : .person, id: change.userID)
            return
        }
        self.init(
            number: change.change, id: card.person.userID,
            data: JSONWriter.object { card.writeMembers(to: &$0, pictures) })
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
        let others = relations.filter { !$0.isFollowing }.map(\.person.key)
        let asked = try others.isEmpty ? [] : reader.people.requested(by: viewer, among: others)
        return relations.reduce(into: [:]) { cards, relation in
            guard let summary = summaries[relation.person.userID] else { return }
            cards[summary.userID] = PersonCard(
                summary, follow: FollowState(relation.isFollowing, isRequested: asked.contains(relation.person.key)),
                followsMe: relation.followsViewer)
        }
    }
}
