import Model

/// What happened, for ``SyncState/handle(_:)``.
enum SyncEvent: Sendable, Equatable {
    /// The job began or goes on.
    case resumed
    case account(AccountFacts)
    /// The storefront was asked for.
    case storefront
    /// A page of a list was fetched.
    case page(PageFacts)
    case entries(EntriesFacts)
    /// The next playlist whose entries have to be read; `nil` after the last.
    case playlist(PlaylistToRead?)
    /// Whether the library has items that the reading of the list has not seen; after a second reading, whether there
    /// are any that only the first one has seen.
    case unseen(Bool)
    /// A write is durable.
    ///
    /// - Parameter count: rows that a step of clearing or marking changed; 0 when nothing is left to do.
    case written(count: Int)
    /// - Parameter isDone: whether no tracks are left to merge.
    case merged(isDone: Bool)
    /// The source cannot be read any further.
    case failed
}

/// What is known of a source before it is read.
struct AccountFacts: Sendable, Equatable {
    var account: String
    var accountID: Int64
    var doubt: AccountDoubt
    /// Whether the source's lists depend on a storefront that is not known.
    var needsStorefront: Bool
    /// Another id of the account (``LibrarySource/formerAccount``).
    var formerAccount: String?
}

/// What a page tells about its list.
struct PageFacts: Sendable, Equatable {
    var itemCount: Int
    var entryCount: Int
    /// Entries of which not even the id could be read.
    var unidentifiedCount = 0
    var total: Int?
    var nextOffset: Int?
    /// The offset up to which it has room for entries.
    var reach: Int
    /// A fingerprint of its ids and dates.
    var head: String
    var firstID: String?
    var lastID: String?
    /// How its items compare with the library; `nil` where it was not asked for (``SyncState/comparesItems``).
    var comparison: Comparison?
    /// What the last reading saw; for the first page.
    var last: LastReading?
    /// Whether the library had items of the list and the account; for the first page.
    var hadItems = false
    /// The entries that the last whole reading did not get; for the first page.
    var formerlyUnread: Int?
    /// Whether a list that seems unchanged is to be read whole all the same; for the first page.
    var isWholeDue = false
    /// Whether the account has no library at all (``SourcePage/lacksLibrary``).
    var lacksLibrary = false

    /// Whether every entry could be read.
    var isFull: Bool { itemCount == entryCount }

    struct Comparison: Sendable, Equatable {
        /// Leading items that the library does not have.
        var newOnTop: Int
        /// Items that it has.
        var knownCount: Int
        /// Whether it has the last item, saved at the same time.
        var endsKnown: Bool
    }
}

/// What an earlier reading of a list saw.
struct LastReading: Sendable, Equatable {
    var total: Int
    var head: String
}

enum EntriesFacts: Sendable, Equatable {
    /// - Parameter reach: the offset up to which the page has room for entries.
    case page(total: Int?, nextOffset: Int?, reach: Int)
    case empty
    case forbidden
}

/// What a sync does next.
enum SyncAction: Sendable, Equatable {
    case askAccount(MusicSource)
    case askStorefront(MusicSource)
    case fetch(SyncFetch)
    case findPlaylist(after: Int64)
    /// Looks for items that the reading of a list has not seen; after a second one, among those that the first has.
    case findUnseen(SourceList)
    /// Writes rows and the state in one transaction.
    case write(SyncWrite)
    case finish
}

/// A request to a source.
enum SyncFetch: Sendable, Hashable {
    case list(SourceList, offset: Int, of: MusicSource)
    case entries(of: String, offset: Int, at: MusicSource)
}

/// A transaction of a sync. Those that are no page may run again after a crash.
enum SyncWrite: Sendable, Equatable {
    /// A list is as the last reading saw it.
    case unchanged(SourceList, total: Int?)
    /// The page that was fetched.
    ///
    /// - Parameter isFirst: whether it is the list's first, so that the last reading no longer tells how the list is.
    case page(SourceList, isWhole: Bool, isFirst: Bool, total: Int?)
    case clear(SourceList)
    case mark(SourceList)
    /// - Parameter isSame: whether the library is the same account's; otherwise the person is asked.
    case settle(account: String, isSame: Bool)
    /// - Parameters:
    ///   - seen: what to store of the reading; `nil` when the list is to be read whole again.
    ///   - unread: the entries that a whole reading did not get.
    case close(SourceList, seen: LastReading?, unread: Int?, isWhole: Bool)
    /// - Parameter total: the number of the playlist's entries as the service tells it.
    case entries(PlaylistToRead, isFirst: Bool, total: Int?, end: EntriesEnd)
    case forbidden(PlaylistToRead)
    /// - Parameter lacksLibrary: whether the service says that the account has no library.
    case complete(MusicSource, lacksLibrary: Bool)
    case fail(MusicSource)
    case merge
}

/// What happens to a playlist's entries after a page.
enum EntriesEnd: Sendable, Equatable {
    /// More pages follow.
    case open
    case show
    /// The answer was not the whole playlist. The former entries stay, and the next sync reads it again.
    case drop
}
