import Gateway
import People
import Storage
import Timeline
import Visibility

extension FeedItemSource {
    /// Who follows the reader for the first time.
    static func follows(_ pictures: PicturePaths) -> FeedItemSource {
        FeedItemSource(.follow) { reader, _, ids in
            try reader.visibility.keys(ofUsers: ids).mapValues(\.rawValue)
        } contents: { reader, viewer, subjects in
            let followers = try reader.people.followers(
                among: subjects.map { PersonKey(rawValue: $0) }, of: viewer)
            let cards = Dictionary(
                uniqueKeysWithValues: try PersonCard.cards(of: followers, for: viewer, in: reader).map {
                    ($0.person.userID, $0)
                })
            return followers.reduce(into: [:]) { contents, follower in
                guard let card = cards[follower.userID] else { return }
                contents[follower.key.rawValue] = FeedContent(
                    id: follower.userID, foldSource: "followers",
                    json: JSONWriter.object { json in
                        json.member("person") { json in json.object { card.writeMembers(to: &$0, pictures) } }
                    })
            }
        }
    }
}
