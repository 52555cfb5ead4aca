import LibraryWriting
import Model

extension SourceProgress {
    /// The action that the current step requires.
    var next: SyncAction {
        switch step {
        case .first(let list): .fetch(.list(list, offset: 0, of: source))
        case .clearing(let scan, _): .write(.clear(scan.list))
        case .pages(let scan): .fetch(.list(scan.list, offset: scan.offset, of: source))
        case .confirmingAccount: .write(.confirmAccount(account, isSame: doubt == .none))
        case .comparing(let scan): .findUnseen(scan.list)
        case .marking(let scan, _): .write(.mark(scan.list))
        case .closing(let scan, _):
            .write(
                .close(scan.list, seen: seen(by: scan), unread: scan.unread, isWhole: scan.isWhole))
        case .nextPlaylist(let after): .findPlaylist(after: after)
        case .entries(let scan):
            .fetch(.entries(of: scan.playlist.sourceID, offset: scan.offset, at: source))
        // `SyncState.handle` ends the source instead, so that the state after its end is stored.
        case .ending: .write(.complete(source, lacksLibrary: lacksLibrary == true))
        }
    }

    /// What the next sync may rely on: nothing while it is undetermined whose library it is.
    private func seen(by scan: ListScan) -> LastScan? {
        if case .undecided = doubt { return nil }
        guard scan.isComplete, scan.isOutdated != true, let total = scan.total, let head = scan.head else {
            return nil
        }
        return LastScan(total: total, head: head)
    }

    /// The scan of the current list.
    var listScan: ListScan? {
        switch step {
        case .clearing(let scan, _), .pages(let scan), .confirmingAccount(let scan), .comparing(let scan),
            .marking(let scan, _), .closing(let scan, _):
            scan
        case .first, .nextPlaylist, .entries, .ending: nil
        }
    }

    /// Advances after a write of the current step has been committed.
    ///
    /// - Parameter count: the number of rows that a step of clearing or marking changed.
    mutating func advance(afterWriting count: Int) {
        switch step {
        case .clearing(let scan, let steps):
            step = count > 0 ? .clearing(scan, steps: steps + 1) : .pages(scan)
        case .confirmingAccount(let scan):
            step = stepAfterConfirmation(scan)
        case .marking(let scan, let steps):
            step = count > 0 ? .marking(scan, steps: steps + 1) : .closing(scan, steps: 0)
        case .closing(let scan, let steps):
            step = count > 0 ? .closing(scan, steps: steps + 1) : Self.step(after: scan.list)
        case .first, .pages, .comparing, .nextPlaylist, .entries, .ending:
            break
        }
    }

    /// Advances after the library was compared with what the scan of a list has seen.
    mutating func advance(afterComparing hasUnseen: Bool) {
        guard case .comparing(var scan) = step else { return }
        if scan.isSecond == true {
            scan.isOutdated = hasUnseen
            step = .marking(scan, steps: 0)
            return
        }
        step = hasUnseen ? .pages(scan.second) : .closing(scan, steps: 0)
    }

    private static func step(after list: SourceList) -> Step {
        switch list {
        case .tracks: .first(.playlists)
        case .playlists: .nextPlaylist(after: 0)
        case .albums: .ending
        }
    }

    // MARK: Lists

    /// Whether the new items at the beginning of a list show how it has changed. Playlists are in an order of their
    /// own.
    func readsNewest(of list: SourceList) -> Bool { source.listsNewestFirst && list != .playlists }

    private enum Plan: Equatable {
        case nothing
        case newest(Int)
        case whole
    }

    /// Decides from a list's first page what to read of it.
    private func plan(_ list: SourceList, by page: PageFacts) -> Plan {
        // A playlist in the middle of the list may have different entries, which the first page does not show.
        guard list != .playlists, !page.isWholeDue, let last = page.last, let total = page.total else { return .whole }
        if case .undecided = doubt { return .whole }
        if total == last.total, page.head == last.head { return .nothing }
        guard readsNewest(of: list), total >= last.total, let comparison = page.comparison,
            comparison.fits(newCount: total - last.total, itemCount: page.itemCount)
        else { return .whole }
        return .newest(total - last.total)
    }

    /// Advances after a page of a list was fetched.
    ///
    /// - Returns: `nil` if the next step does not start with a write.
    mutating func advance(afterFetching page: PageFacts) -> SyncAction? {
        switch step {
        case .first(let list):
            if list == .tracks { lacksLibrary = page.lacksLibrary ? true : nil }
            switch plan(list, by: page) {
            case .nothing:
                step = Self.step(after: list)
                return .write(.unchanged(list, total: page.total))
            case .newest(let count):
                let scan = ListScan(
                    list: list, isWhole: false, hadItems: page.hadItems, newCount: count,
                    formerlyUnread: page.formerlyUnread)
                return continueReading(scan, with: page)
            case .whole:
                if !hasStorefront, source == .appleMusic, list == .tracks { return .askStorefront(source) }
                let scan = ListScan(
                    list: list, isWhole: true, hadItems: page.hadItems, formerlyUnread: page.formerlyUnread)
                step = .clearing(scan, steps: 0)
                return nil
            }
        case .pages(let scan): return continueReading(scan, with: page)
        default: return nil
        }
    }

    private mutating func continueReading(_ scan: ListScan, with page: PageFacts) -> SyncAction? {
        var scan = scan
        let (offset, isFirst) = (scan.offset, scan.offset == 0)
        if !scan.isWhole, !isFirst {
            let left = max(0, scan.newCount - scan.entryCount)
            guard let comparison = page.comparison, comparison.fits(newCount: left, itemCount: page.itemCount) else {
                // Something else has changed as well.
                let whole = ListScan(
                    list: scan.list, isWhole: true, hadItems: scan.hadItems, counted: scan.counted,
                    formerlyUnread: scan.formerlyUnread)
                step = .clearing(whole, steps: 0)
                return nil
            }
        }
        addFacts(of: page, to: &scan)
        if case .undecided(let known, let appeared) = doubt, scan.list == .tracks, let comparison = page.comparison {
            // An overlapping item was already counted with its own page.
            let repeated = scan.overlap == nil ? 0 : min(1, comparison.knownCount)
            doubt = .undecided(known: known, appeared: appeared + comparison.knownCount - repeated)
        }
        // An offset that does not advance would be read forever, and so would empty pages beyond the end.
        let isPastEnd = page.entryCount == 0 && offset >= scan.total ?? 0
        if let following = page.nextOffset, following > offset, !isPastEnd, scan.isWhole || needsMore(page) {
            scan.offset = following
            scan.overlap = nil
            // The last item is only the entry before the next page if the page has no gaps.
            if scan.isWhole, overlaps(scan), page.isFull, page.entryCount == following - offset,
                let lastID = page.lastID, following - 1 > offset
            {
                scan.offset = following - 1
                scan.overlap = lastID
            }
            if scan.overlap == nil { scan.isGapless = false }
            step = .pages(scan)
        } else {
            scan.reachesEnd = page.nextOffset == nil && page.reach >= (scan.total ?? 0)
            step = afterPages(scan)
        }
        return .write(
            .page(scan.list, isWhole: scan.isWhole, isFirst: isFirst, total: page.total ?? scan.total))
    }

    /// Adds a page to what its scan knows about the list.
    private func addFacts(of page: PageFacts, to scan: inout ListScan) {
        if scan.offset == 0 {
            (scan.total, scan.head) = (page.total, page.head)
        } else if let total = page.total {
            // Apple Music does not report the total on every page.
            if total != scan.total ?? total { scan.isSteady = false }
            scan.total = scan.total ?? total
        }
        if let expected = scan.overlap, page.firstID != expected {
            // On a page that is not full, the first entry may be one that could not be read.
            if page.isFull { scan.isSteady = false } else { scan.isGapless = false }
        }
        let repeated = scan.overlap != nil && page.entryCount > 0 ? 1 : 0
        scan.entryCount += page.entryCount - repeated
        if page.unidentifiedCount > 0 {
            scan.unidentifiedCount = (scan.unidentifiedCount ?? 0) + page.unidentifiedCount
        }
        addProgress(of: page, repeated: repeated, to: &scan)
        // If new items extend to the end of the list, they are all of it.
        if !scan.isWhole, page.nextOffset == nil, needsMore(page), scan.entryCount != scan.total {
            scan.isSteady = false
        }
    }

    /// Adds a page to the progress that people see. A whole scan that follows a scan of new items counts from the
    /// start.
    private func addProgress(of page: PageFacts, repeated: Int, to scan: inout ListScan) {
        let former = scan.counted
        if scan.offset == 0 { scan.counted = ListScan.Progress(total: page.total ?? 0) }
        scan.counted.found += max(0, page.itemCount - repeated)
        scan.added = ListScan.Progress(
            found: scan.counted.found - former.found, total: scan.counted.total - former.total)
    }

    /// Whether pages of a whole scan overlap by one entry. If an entry is added, removed or moved between two
    /// requests, the others shift; then the last entry of a page is not the first entry of the next one, even if the
    /// total is the same. If nothing can be marked as missing, hidden entries do not matter. Lists of playlists are
    /// read by every sync, and overlaps would cost additional requests each time, so they are read a second time if
    /// something would be marked.
    private func overlaps(_ scan: ListScan) -> Bool { scan.hadItems && scan.list != .playlists }

    /// Whether a scan of new items continues after a page: until it reaches an item that the library already has.
    private func needsMore(_ page: PageFacts) -> Bool {
        page.comparison?.endsKnown != true
    }

    private mutating func afterPages(_ scan: ListScan) -> Step {
        if case .undecided(let known, let appeared) = doubt, scan.list == .tracks, scan.isWhole,
            scan.isComplete
        {
            doubt = appeared * 2 >= known ? .none : .asked
            return .confirmingAccount(scan)
        }
        guard scan.isWhole, scan.isComplete, scan.hadItems, doubt == .none else {
            return .closing(scan, steps: 0)
        }
        return scan.isReliable && scan.isSecond != true ? .marking(scan, steps: 0) : .comparing(scan)
    }

    private mutating func stepAfterConfirmation(_ scan: ListScan) -> Step {
        doubt == .none ? afterPages(scan) : .closing(scan, steps: 0)
    }
}

extension SourceProgress {
    // MARK: Playlists

    /// Advances after a request for a playlist's entries was answered.
    ///
    /// - Returns: `nil` if no entries are awaited.
    mutating func advance(afterFetching answer: EntriesFacts) -> SyncWrite? {
        guard case .entries(var scan) = step else { return nil }
        let (playlist, isFirst) = (scan.playlist, scan.offset == 0)
        step = .nextPlaylist(after: playlist.id)
        switch answer {
        case .forbidden: return .forbidden(playlist)
        // If entries are gone after the first page, the playlist is just being changed.
        case .empty: return .entries(playlist, isFirst: isFirst, total: nil, end: isFirst ? .show : .drop)
        case .page(let total, let nextOffset, let reach):
            // Apple Music does not report the total on every page.
            scan.total = scan.total ?? total
            if let total, total != scan.total {
                return .entries(playlist, isFirst: isFirst, total: total, end: .drop)
            }
            if let nextOffset, nextOffset > scan.offset, scan.offset < scan.total ?? .max {
                scan.offset = nextOffset
                step = .entries(scan)
                return .entries(playlist, isFirst: isFirst, total: scan.total, end: .open)
            }
            // A page may contain less than it has room for; what counts is how far the last page reaches.
            let isWhole = nextOffset == nil && reach >= scan.total ?? 0
            return .entries(playlist, isFirst: isFirst, total: scan.total, end: isWhole ? .show : .drop)
        }
    }
}

extension PageFacts.Comparison {
    /// Whether the page begins with exactly the expected new items, as far as they fit on it, followed only by known
    /// ones.
    func fits(newCount: Int, itemCount: Int) -> Bool {
        guard itemCount > newCount else { return newOnTop == itemCount }
        return newOnTop == newCount && knownCount == itemCount - newCount && endsKnown
    }
}

extension MusicSource {
    /// Whether lists of saved items begin with the newest, so that new items are on the first pages.
    fileprivate var listsNewestFirst: Bool { self == .spotify }
}
