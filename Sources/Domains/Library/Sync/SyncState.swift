import JobStorage
import LibraryWriting
import Model

/// The progress of a sync: the checkpoint of its job. ``handle(_:)`` is its state machine, without I/O.
///
/// It contains no items, so that it stays small no matter how large a library is, and equal states have equal JSON.
package struct SyncState: CheckpointState, Equatable {
    /// The number of the sync among its user's syncs.
    package var number: Int64
    package var libraryID: Int64
    /// The sources to read, in order, without skipped ones.
    var sources: [Part]
    /// Whether tracks were read, so that they have to be merged.
    var mustMerge = false
    var stage = Stage.choosing
    /// The number of pages and other steps whose rows are written; `nil` is the same as 0.
    private(set) var written: Int?

    package var workDone: Int { written ?? 0 }

    struct Part: Codable, Sendable, Equatable {
        enum Outcome: String, Codable, Sendable {
            case waiting, complete, failed
        }

        var source: MusicSource
        var outcome = Outcome.waiting
        /// The stage at which the source continues once the others have been read
        /// (``SyncState/postponeSource(failed:)``).
        var paused: Stage?
    }

    enum Stage: Codable, Sendable, Equatable {
        /// Before the next source, or the end.
        case choosing
        /// Requests which account the source has.
        case account(MusicSource)
        case scanning(SourceProgress)
        /// - Parameter steps: the number of steps that have merged something.
        case merging(steps: Int)
        case finished

        /// Names in the checkpoints of unfinished syncs, which a later version reads.
        private enum CodingKeys: String, CodingKey {
            case choosing, account, merging, finished
            case scanning = "reading"
        }
    }

    /// - Parameters:
    ///   - sources: the sources in the order in which they are read.
    ///   - mustMerge: whether an earlier sync ended before it could merge.
    package init(number: Int64, libraryID: Int64, sources: [MusicSource], mustMerge: Bool = false) {
        self.number = number
        self.libraryID = libraryID
        self.sources = sources.map { Part(source: $0) }
        self.mustMerge = mustMerge
    }

    /// The source that is currently being read.
    package var source: MusicSource? {
        switch stage {
        case .account(let source): source
        case .scanning(let progress): progress.source
        case .choosing, .merging, .finished: nil
        }
    }

    /// Starts the current source over, since what was read belongs to another account.
    mutating func restartSource() {
        if let source { stage = .account(source) }
    }

    /// Counts the next write, or the last one.
    mutating func countWritten() { written = workDone + 1 }

    /// Starts all unfinished sources over: another sync has read them since, so the sightings of this one are gone.
    mutating func restart() {
        restartSource()
        for index in sources.indices where sources[index].paused != nil {
            sources[index].paused = .account(sources[index].source)
        }
    }

    /// Sets the current source aside because it cannot be read at the moment, and continues with another one, which may
    /// have been set aside by an earlier run.
    ///
    /// - Parameter failed: the sources that this run could not read, including the current one.
    /// - Returns: `false` if there is no other source to read.
    mutating func postponeSource(failed: Set<MusicSource>) -> Bool {
        guard let index = sources.firstIndex(where: { $0.source == source }) else { return false }
        let others = sources.indices.filter {
            $0 != index && sources[$0].outcome == .waiting && !failed.contains(sources[$0].source)
        }
        guard let next = others.first(where: { sources[$0].paused == nil }) ?? others.first else { return false }
        sources[index].paused = stage
        stage = sources[next].paused ?? .account(sources[next].source)
        sources[next].paused = nil
        return true
    }
}

/// The progress of reading a source.
struct SourceProgress: Codable, Sendable, Equatable {
    var source: MusicSource
    /// The account as the source names it. ``accountID`` is its key.
    var account: String
    var accountID: Int64
    var doubt: AccountUncertainty
    /// Another id of the account.
    var formerAccount: String?
    /// Whether the storefront was requested in this sync.
    var hasStorefront = false
    /// Whether the service reports that the account has no library, according to the list of tracks; `nil` is `false`.
    var lacksLibrary: Bool?
    var step = Step.first(.tracks)
    /// Whether the write in progress is that of a page.
    var isWritingPage = false

    enum Step: Codable, Sendable, Equatable {
        /// Fetches the first page of a list, which decides what is read of it.
        case first(SourceList)
        /// Deletes the sightings of an earlier scan.
        case clearing(ListScan, steps: Int)
        case pages(ListScan)
        /// Stores whether the library belongs to the same account.
        case confirmingAccount(ListScan)
        /// Checks whether anything would be marked as missing, since an entry may have been hidden between two pages.
        case comparing(ListScan)
        case marking(ListScan, steps: Int)
        /// Stores what the scan saw, and deletes its sightings.
        case closing(ListScan, steps: Int)
        case nextPlaylist(after: Int64)
        case entries(EntriesScan)
        case ending

        /// Names in the checkpoints of unfinished syncs, which a later version reads.
        private enum CodingKeys: String, CodingKey {
            case first, clearing, pages, comparing, marking, closing, nextPlaylist, entries, ending
            case confirmingAccount = "settling"
        }
    }
}

/// Whether the library that is being read belongs to the account whose rows are stored.
enum AccountUncertainty: Codable, Sendable, Equatable {
    case none
    /// The credential is new. This is decided at the end of the list of tracks.
    ///
    /// - Parameters:
    ///   - known: the number of saved tracks of the former account.
    ///   - appeared: the number of these tracks that have been read.
    case undecided(known: Int, appeared: Int)
    /// The user has to say so. Nothing is marked as missing until then.
    case asked
}

/// The scan of a list of saved items.
struct ListScan: Codable, Sendable, Equatable {
    var list: SourceList
    /// Whether the list is read to its end and its items are recorded as seen. Otherwise only the new items at its
    /// beginning are read.
    var isWhole: Bool
    /// Whether the library had items of the account that were not missing.
    var hadItems: Bool
    /// The number of new items expected at the beginning; 0 for a whole scan.
    var newCount = 0
    /// The offset of the next page.
    var offset = 0
    /// The number of entries read so far.
    var entryCount = 0
    /// What the last page adds to the progress that people see.
    var added = Progress()
    /// What all pages so far have added to the progress.
    var counted = Progress()
    /// The total that the first page reported.
    var total: Int?
    /// The fingerprint of the first page.
    var head: String?
    /// Whether the list did not change while it was read, as far as its pages show.
    var isSteady = true
    /// Whether the last page reaches the total.
    var reachesEnd = false
    /// ``unread`` of the last whole scan; `nil` before the first one.
    var formerlyUnread: Int?
    /// The number of entries on its pages for which not even the id could be read; `nil` is the same as 0.
    var unidentifiedCount: Int?
    /// The id of the item that the next page has to begin with, since it overlaps the last one.
    var overlap: String?
    /// Whether each page begins with the last entry of the one before. Otherwise, entries that were moved meanwhile may
    /// be hidden between two pages. `nil` if unknown.
    var isGapless: Bool? = true
    /// Whether it is the second scan in this sync, because the first one did not see everything that the library has
    /// and may have missed a hidden entry. What either of them saw is not missing.
    var isSecond: Bool?
    /// Whether the first scan saw an item that the second one did not: it was removed between the two, or was
    /// hidden. The next sync reads the list whole to find out which. `nil` while this is unknown.
    var isOutdated: Bool?

    /// Numbers of items as shown to people.
    struct Progress: Codable, Sendable, Equatable {
        var found = 0
        var total = 0
    }

    /// The number of entries that the service counts and that may be any item: those that it did not show, and those
    /// without a readable id. Only known for a whole scan that reached the list's end.
    var unread: Int? {
        guard isWhole, isSteady, reachesEnd, let total, entryCount <= total else { return nil }
        return total - entryCount + (unidentifiedCount ?? 0)
    }

    /// Whether items that a complete scan did not see are certain to be no longer in the list.
    var isReliable: Bool { isGapless == true || isSecond == true }

    /// The second scan of the list in this sync.
    var second: ListScan {
        ListScan(
            list: list, isWhole: true, hadItems: hadItems, counted: counted, formerlyUnread: formerlyUnread,
            isSecond: true)
    }

    /// Whether all of the list was read. An empty answer proves nothing, since failing services return those as well.
    /// Services count entries that they never show, or show without an id; so a scan that lacks as many entries as
    /// the last one is whole, while others may be truncated.
    var isComplete: Bool {
        guard isWhole else { return isSteady && total != nil }
        guard let unread, let total, total > 0 || !hadItems else { return false }
        return unread == 0 || unread == formerlyUnread || !hadItems
    }
}

/// The scan of a playlist's entries.
struct EntriesScan: Codable, Sendable, Equatable {
    var playlist: PlaylistToRead
    var offset = 0
    var total: Int?
}
