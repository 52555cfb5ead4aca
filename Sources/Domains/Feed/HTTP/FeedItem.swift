import Feed
import Gateway
import Model
import Timeline

/// An item of a feed as a viewer sees it.
struct FeedItem: Sendable {
    let item: TimelineItem
    let content: FeedContent

    /// Items of one kind with equal keys are shown as one where they follow each other. It stays the same as long as the
    /// content's source does.
    var foldKey: String { "\(item.kind.name):\(content.foldSource):\(item.moment.day)" }

    func writeMembers(to json: inout JSONWriter) {
        json.member("kind", item.kind.name)
        json.member("id", content.id)
        json.member("sortScore", Int(item.position.score))
        json.member("number", Int(item.position.number))
        json.member("foldKey", foldKey)
        json.member("at", item.moment)
        json.member(item.kind.member, raw: String(decoding: content.json, as: UTF8.self))
    }
}

extension TimelineKind {
    /// The member of an item's object that has the content: the kind's name.
    var member: StaticString {
        switch self {
        case .share: "share"
        case .concert: "concert"
        case .release: "release"
        case .follow: "follow"
        case .recommendation: "recommendation"
        case .comingShows: "comingShows"
        case .sentSong: "sentSong"
        }
    }
}
