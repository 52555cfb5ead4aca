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
            .person, topics: [.people], goneKinds: [.itemsOf], reportedGoneKinds: [.itemsOf],
            authors: Authors(.profile) { try Change.profiles(for: $1, pictures, in: $0) }
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

extension EventSource.Change {
    /// The changed profiles of those whom several people follow, as each of them may see them at this moment. Whoever
    /// sees the same gets the same JSON, which is made once.
    ///
    /// - Returns: those of each person; somebody is missing whose changes have to be read alone.
    fileprivate static func profiles(
        for readers: [ChangeReader], _ pictures: PicturePaths, in reader: ReadTransaction
    ) throws -> [ChangeReader: [EventSource.Change]] {
        let viewers = try reader.visibility.viewers(userIDs: Set(readers.map(\.userID)))
        var positions: [ChangeReader: ViewerPosition] = [:]
        for one in readers { positions[one] = viewers[one.userID].map { ViewerPosition($0, after: one.after) } }
        let found = try reader.visibility.profileChanges(for: Array(Set(positions.values)))
        let changed = Set(found.values.joined().map(\.person))
        let summaries = try reader.accounts.summaries(ofUsers: changed.map(\.userID))
        let requests = try reader.people.requests(between: Array(viewers.values), and: Set(changed.map(\.key)))
        var cards: [SeenPerson: [UInt8]] = [:]
        return readers.reduce(into: [:]) { all, one in
            // Whoever is suspended or gone reads nothing.
            guard let position = positions[one] else { return all[one] = [] }
            guard let changes = found[position], changes.allSatisfy({ summaries[$0.person.userID] != nil }) else {
                return
            }
            let own = requests[position.viewer.key] ?? FollowRequests()
            all[one] = changes.compactMap { change in
                guard let summary = summaries[change.person.userID] else { return nil }
                let seen = SeenPerson(
                    person: change.person, follow: own.state(toward: change.person),
                    asksSince: own.since(of: change.person))
                let data =
                    cards[seen]
                    ?? JSONWriter.object { json in
                        PersonCard(summary, seen.person, follow: seen.follow, asksSince: seen.asksSince)
                            .writeMembers(to: &json, pictures)
                    }
                cards[seen] = data
                return Self(number: change.change, id: summary.userID, data: data)
            }
        }
    }

    /// What a card shows a viewer of a person, besides what everybody sees.
    private struct SeenPerson: Hashable {
        let person: Standing
        let follow: FollowState
        let asksSince: Timestamp?
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
