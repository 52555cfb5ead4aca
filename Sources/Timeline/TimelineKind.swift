import Model
import Storage

/// The kinds of items in a feed.
package enum TimelineKind: Int64, Sendable, CaseIterable, SQLConvertible {
    case share = 1
    /// News of a concert: announced, on sale, moved, cancelled.
    case concert = 2
    case release = 3
    /// Somebody follows the reader for the first time.
    case follow = 4
    /// A song that was recommended to the reader.
    case recommendation = 5
    /// The coming concerts of an artist or a city, for somebody who has just ranked or set it.
    case comingShows = 6
    /// A song that somebody has sent to the reader in a message.
    case sentSong = 7

    /// As the API names it.
    package var name: String {
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

    /// - Parameter name: as the API names it.
    package init?(name: String) {
        guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = kind
    }

    /// What the score adds to the moment, in milliseconds. What people do is before what schedules found in the same
    /// quarter of an hour.
    package var bonus: Int64 {
        switch self {
        case .share, .follow, .sentSong: Self.maximumBonus
        case .concert, .release, .recommendation, .comingShows: 0
        }
    }

    /// The highest ``bonus``, in milliseconds.
    package static let maximumBonus: Int64 = 900_000

    /// The score of an item, by which feeds are sorted, highest first: the moment at which the item was made or first
    /// seen, in milliseconds since 1970, and the ``bonus``. It changes only if the clock was ahead (`moveItemsAhead`).
    package func score(of moment: Timestamp) -> Int64 {
        // Never negative, whatever a clock says.
        max(0, moment.microseconds / 1_000) + bonus
    }

    /// The moment of an item with a score, in whole milliseconds.
    ///
    /// - Parameter score: any number, such as that of an invented cursor.
    package func moment(ofScore score: Int64) -> Timestamp {
        let score = min(max(score, 0), Int64.max / 1_000 - 1)
        return Timestamp(microseconds: (score - bonus) * 1_000)
    }
}

extension ItemKind {
    /// An item of a feed in people's event streams. Its id is ``TimelineKind/itemID(_:)``.
    package static let feedItem = ItemKind("feedItem")
}

extension TimelineKind {
    /// The id of an item among those of all kinds, such as `share:0198…`.
    ///
    /// - Parameter id: the item's id among those of its kind.
    package func itemID(_ id: String) -> String { name + ":" + id }
}

extension ChangeTopic {
    /// What a person's feed shows, beside the items of authors.
    package static let feed = ChangeTopic("feed")
    /// How far the parts of a person's feed have been found.
    package static let feedRefresh = ChangeTopic("feedRefresh")
}
