import Model
import Storage

/// How far a sync has come: the checkpoint of its job. ``handle(_:)`` is its state machine, without I/O.
///
/// It holds no items, so that it stays small however large a library is, and equal states have equal JSON.
package struct SyncState: CheckpointState, Equatable {
    /// The number of the sync among its person's.
    package var number: Int64
    package var libraryID: Int64
    /// The sources to read, in order. Skipped ones are not among them.
    var sources: [Part]
    /// Whether tracks were read, so that they have to be merged.
    var mustMerge = false
    var stage = Stage.choosing
    /// The pages and other steps whose rows are written. `nil` stands for none.
    private(set) var written: Int?

    package var workDone: Int { written ?? 0 }

    struct Part: Codable, Sendable, Equatable {
        enum Outcome: String, Codable, Sendable {
            case waiting, complete, failed
        }

        var source: MusicSource
        var outcome = Outcome.waiting
        /// Where it goes on once the other sources were read (``SyncState/putAside(failed:)``).
        var paused: Stage?
    }

    enum Stage: Codable, Sendable, Equatable {
        /// Before the next source, or the end.
        case choosing
        /// Asks which account the source has.
        case account(MusicSource)
        case reading(SourceProgress)
        /// - Parameter steps: counts those that have merged something.
        case merging(steps: Int)
        case finished
    }

    /// - Parameters:
    ///   - sources: in the order in which they are read.
    ///   - mustMerge: whether an earlier sync ended before it could merge.
    package init(number: Int64, libraryID: Int64, sources: [MusicSource], mustMerge: Bool = false) {
        self.number = number
        self.libraryID = libraryID
        self.sources = sources.map { Part(source: $0) }
        self.mustMerge = mustMerge
    }

    /// The source that is read at present.
    package var source: MusicSource? {
        switch stage {
        case .account(let source): source
        case .reading(let progress): progress.source
        case .choosing, .merging, .finished: nil
        }
    }

    /// Begins the present source anew, since what was read belongs to another account.
    mutating func restartSource() {
        if let source { stage = .account(source) }
    }

    /// Counts what the next write, or the last one, has written.
    mutating func countWritten() { written = workDone + 1 }

    /// Begins all unfinished sources anew: another sync has read since, so that what this one noted is gone.
    mutating func restart() {
        restartSource()
        for index in sources.indices where sources[index].paused != nil {
            sources[index].paused = .account(sources[index].source)
        }
    }

    /// Puts the present source aside, which cannot be read now, so that another one is read meanwhile. That one may
    /// have been put aside by an earlier run.
    ///
    /// - Parameter failed: the sources that this run could not read, the present one among them.
    /// - Returns: `false` when there is no other source to read.
    mutating func putAside(failed: Set<MusicSource>) -> Bool {
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

/// How far a source has been read.
struct SourceProgress: Codable, Sendable, Equatable {
    var source: MusicSource
    /// The account as the source names it, and its key.
    var account: String
    var accountID: Int64
    var doubt: AccountDoubt
    /// Another id of the account.
    var formerAccount: String?
    /// Whether the storefront was asked for in this sync.
    var hasStorefront = false
    /// Whether the service says that the account has no library, by the list of tracks. `nil` stands for `false`.
    var lacksLibrary: Bool?
    var step = Step.first(.tracks)
    /// Whether the write under way is that of a page.
    var isWritingPage = false

    enum Step: Codable, Sendable, Equatable {
        /// Fetches the first page of a list, which decides what is read of it.
        case first(SourceList)
        /// Deletes what an earlier reading noted.
        case clearing(ListReading, steps: Int)
        case pages(ListReading)
        /// Stores the answer to whether the library is the same account's.
        case settling(ListReading)
        /// Looks whether anything would be marked, since an entry may have been hidden between two pages.
        case comparing(ListReading)
        case marking(ListReading, steps: Int)
        /// Stores what the reading saw, and deletes what it noted.
        case closing(ListReading, steps: Int)
        case nextPlaylist(after: Int64)
        case entries(EntriesReading)
        case ending
    }
}

/// Whether the library that is read is that of the account whose rows are here.
enum AccountDoubt: Codable, Sendable, Equatable {
    case none
    /// The credential is new. The end of the tracks decides.
    ///
    /// - Parameters:
    ///   - known: the saved tracks of the account before.
    ///   - appeared: those of them that were read.
    case undecided(known: Int, appeared: Int)
    /// The person has to say so. Nothing is marked until then.
    case asked
}

/// The reading of a list of saved items.
struct ListReading: Codable, Sendable, Equatable {
    var list: SourceList
    /// Whether the list is read to its end and what was seen is noted. Otherwise the new items at its beginning are
    /// read.
    var isWhole: Bool
    /// Whether the library had items of the account that were not missing.
    var hadItems: Bool
    /// The new items that are expected at the beginning; 0 for a whole reading.
    var newCount = 0
    /// The offset of the next page.
    var offset = 0
    /// Entries read so far.
    var entryCount = 0
    /// What its last page adds to the progress that people see.
    var added = Progress()
    /// What all its pages have added.
    var counted = Progress()
    /// The total with the first page.
    var total: Int?
    /// The fingerprint of the first page.
    var head: String?
    /// Whether the list did not change while it was read, as far as its pages show.
    var isSteady = true
    /// Whether its last page reaches the total.
    var reachesEnd = false
    /// ``unread`` of the last whole reading; `nil` before the first.
    var formerlyUnread: Int?
    /// Entries of its pages of which not even the id could be read. `nil` stands for none.
    var unidentifiedCount: Int?
    /// The item that the next page has to begin with, since it overlaps the last one.
    var overlap: String?
    /// Whether each page begins with the last entry of the one before. Otherwise entries that moved meanwhile may be
    /// hidden between two pages. `nil` in states of former versions, where it is unknown.
    var isGapless: Bool? = true
    /// Whether it is the second reading in this sync, because the first one did not see everything that the library has
    /// and may have had a hidden entry. What either of them saw is not missing.
    var isSecond: Bool?
    /// Whether the first reading saw an item that the second one did not: it left between the two, or was hidden. The
    /// next sync reads the list whole, to tell which. `nil` as long as that is unknown.
    var isOutdated: Bool?

    /// Numbers of items, as people see them.
    struct Progress: Codable, Sendable, Equatable {
        var found = 0
        var total = 0
    }

    /// The entries that the service counts and that may be any item: those that it did not show, and those without a
    /// readable id. Of a whole reading that came to the list's end.
    var unread: Int? {
        guard isWhole, isSteady, reachesEnd, let total, entryCount <= total else { return nil }
        return total - entryCount + (unidentifiedCount ?? 0)
    }

    /// Whether what it did not see is no longer in the list, if it is complete.
    var isReliable: Bool { isGapless == true || isSecond == true }

    /// The list's second reading in this sync.
    var second: ListReading {
        ListReading(
            list: list, isWhole: true, hadItems: hadItems, counted: counted, formerlyUnread: formerlyUnread,
            isSecond: true)
    }

    /// Whether all of the list was read. An empty answer proves nothing: a failing service gives those, too. Services
    /// count entries that they never show, or show without an id; so a reading that lacks as many as the last one is
    /// whole, and others may be truncated.
    var isComplete: Bool {
        guard isWhole else { return isSteady && total != nil }
        guard let unread, let total, total > 0 || !hadItems else { return false }
        return unread == 0 || unread == formerlyUnread || !hadItems
    }
}

/// The reading of a playlist's entries.
struct EntriesReading: Codable, Sendable, Equatable {
    var playlist: PlaylistToRead
    var offset = 0
    var total: Int?
}
