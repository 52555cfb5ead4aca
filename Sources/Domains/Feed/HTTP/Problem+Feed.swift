import Feed
import Gateway

extension Problem {
    /// A part of a feed is missing. The reason is in the log.
    static let feedSourceFailed = Problem(
        .serviceUnavailable, code: .feedSourceFailed, title: "A part of the feed is missing",
        detail: "Backline could not read these items. The others are shown. Load the feed again; if they are still "
            + "missing then, the operator can find the reason in the log.")

    init(_ refusal: FeedRefusal) {
        self =
            switch refusal {
            case .unknownPerson: .unauthorized
            case .tooManyHiddenItems(let limit):
                .conflict(
                    code: .tooManyHiddenItems,
                    "You have hidden \(limit) items, which is the limit. Show some of them again first.")
            }
    }
}
