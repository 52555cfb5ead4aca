import LibraryWriting
import Model

/// Events for ``SyncState/handle(_:)``.
enum SyncEvent: Sendable, Equatable {
    /// The job started or resumed.
    case resumed
    case account(AccountFacts)
    /// The storefront was requested.
    case storefront
    /// A page of a list was fetched.
    case page(PageFacts)
    case entries(EntriesFacts)
    /// The next playlist whose entries have to be read; `nil` after the last one.
    case playlist(PlaylistToRead?)
    /// Whether the library has items that the scan of the list has not seen; after a second scan, whether there
    /// are any that only the first one saw.
    case unseen(Bool)
    /// A write was committed.
    ///
    /// - Parameter count: the number of rows that a step of clearing or marking changed; 0 if nothing is left to do.
    case written(count: Int)
    /// - Parameter isDone: whether no tracks are left to merge.
    case merged(isDone: Bool)
    /// The source cannot be read any further.
    case failed
}

/// What is known about a source before it is read.
struct AccountFacts: Sendable, Equatable {
    var account: String
    var accountID: Int64
    var doubt: AccountUncertainty
    /// Whether the source's lists depend on a storefront that is not known yet.
    var needsStorefront: Bool
    /// Another id of the account (``LibrarySource/formerAccount``).
    var formerAccount: String?
}

/// Facts about a page and its list.
struct PageFacts: Sendable, Equatable {
    var itemCount: Int
    var entryCount: Int
    /// The number of entries for which not even the id could be read.
    var unidentifiedCount = 0
    var total: Int?
    var nextOffset: Int?
    /// The end of the range of offsets that the page has room for.
    var reach: Int
    /// A fingerprint of the page's ids and dates.
    var head: String
    var firstID: String?
    var lastID: String?
    /// How the page's items compare with the library; `nil` if this was not requested (``SyncState/comparesItems``).
    var comparison: Comparison?
    /// What the last scan saw; only set for the first page.
    var last: LastScan?
    /// Whether the library had items of this list and account; only set for the first page.
    var hadItems = false
    /// The number of entries that the last whole scan could not read; only set for the first page.
    var formerlyUnread: Int?
    /// Whether the list has to be read whole even if it seems unchanged; only set for the first page.
    var isWholeDue = false
    /// Whether the account has no library at all (``SourcePage/lacksLibrary``).
    var lacksLibrary = false

    /// Whether every entry could be read.
    var isFull: Bool { itemCount == entryCount }

    struct Comparison: Sendable, Equatable {
        /// The number of leading items that the library does not have.
        var newOnTop: Int
        /// The number of items that the library has.
        var knownCount: Int
        /// Whether the library has the last item, with the same date.
        var endsKnown: Bool
    }
}

/// What an earlier scan of a list saw.
struct LastScan: Sendable, Equatable {
    var total: Int
    var head: String
}

enum EntriesFacts: Sendable, Equatable {
    /// - Parameter reach: the end of the range of offsets that the page has room for.
    case page(total: Int?, nextOffset: Int?, reach: Int)
    case empty
    case forbidden
}

/// The next action of a sync.
enum SyncAction: Sendable, Equatable {
    case askAccount(MusicSource)
    case askStorefront(MusicSource)
    case fetch(SyncFetch)
    case findPlaylist(after: Int64)
    /// Looks for items that the scan of a list has not seen; after a second scan, among those that the first one
    /// saw.
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

/// A transaction of a sync. Transactions that do not write a page may run again after a crash.
enum SyncWrite: Sendable, Equatable {
    /// The list is as the last scan saw it.
    case unchanged(SourceList, total: Int?)
    /// The page that was fetched.
    ///
    /// - Parameter isFirst: whether it is the first page of the list, which invalidates the record of the last scan.
    case page(SourceList, isWhole: Bool, isFirst: Bool, total: Int?)
    case clear(SourceList)
    case mark(SourceList)
    /// - Parameter isSame: whether the library belongs to the same account; otherwise the user is asked.
    case confirmAccount(String, isSame: Bool)
    /// - Parameters:
    ///   - seen: what to store about the scan; `nil` if the list has to be read whole again.
    ///   - unread: the number of entries that a whole scan could not read.
    case close(SourceList, seen: LastScan?, unread: Int?, isWhole: Bool)
    /// - Parameter total: the number of the playlist's entries that the service reports.
    case entries(PlaylistToRead, isFirst: Bool, total: Int?, end: EntriesEnd)
    case forbidden(PlaylistToRead)
    /// - Parameter lacksLibrary: whether the service reports that the account has no library.
    case complete(MusicSource, lacksLibrary: Bool)
    case fail(MusicSource)
    case merge
}

/// What happens to a playlist's entries after a page.
enum EntriesEnd: Sendable, Equatable {
    /// More pages follow.
    case open
    case show
    /// The answer was not the whole playlist. The former entries are kept, and the next sync reads the playlist again.
    case drop
}
