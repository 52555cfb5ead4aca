import Model

extension SourceProgress {
    /// The action that the current step requires.
    var next: SyncAction {
        switch step {
        case .first(let list): .fetch(.list(list, offset: 0, of: source))
        case .clearing(let reading, _): .write(.clear(reading.list))
        case .pages(let reading): .fetch(.list(reading.list, offset: reading.offset, of: source))
        case .settling: .write(.confirmAccount(account, isSame: doubt == .none))
        case .comparing(let reading): .findUnseen(reading.list)
        case .marking(let reading, _): .write(.mark(reading.list))
        case .closing(let reading, _):
            .write(
                .close(reading.list, seen: seen(by: reading), unread: reading.unread, isWhole: reading.isWhole))
        case .nextPlaylist(let after): .findPlaylist(after: after)
        case .entries(let reading):
            .fetch(.entries(of: reading.playlist.sourceID, offset: reading.offset, at: source))
        // `SyncState.handle` ends the source instead, so that the state after its end is stored.
        case .ending: .write(.complete(source, lacksLibrary: lacksLibrary == true))
        }
    }

    /// What the next sync may rely on: nothing while it is undetermined whose library it is.
    private func seen(by reading: ListReading) -> LastReading? {
        if case .undecided = doubt { return nil }
        guard reading.isComplete, reading.isOutdated != true, let total = reading.total, let head = reading.head else {
            return nil
        }
        return LastReading(total: total, head: head)
    }

    /// The reading of the current list.
    var listReading: ListReading? {
        switch step {
        case .clearing(let reading, _), .pages(let reading), .settling(let reading), .comparing(let reading),
            .marking(let reading, _), .closing(let reading, _):
            reading
        case .first, .nextPlaylist, .entries, .ending: nil
        }
    }

    /// Advances after a write of the current step has been committed.
    ///
    /// - Parameter count: the number of rows that a step of clearing or marking changed.
    mutating func advance(afterWriting count: Int) {
        switch step {
        case .clearing(let reading, let steps):
            step = count > 0 ? .clearing(reading, steps: steps + 1) : .pages(reading)
        case .settling(let reading):
            step = afterSettling(reading)
        case .marking(let reading, let steps):
            step = count > 0 ? .marking(reading, steps: steps + 1) : .closing(reading, steps: 0)
        case .closing(let reading, let steps):
            step = count > 0 ? .closing(reading, steps: steps + 1) : Self.step(after: reading.list)
        case .first, .pages, .comparing, .nextPlaylist, .entries, .ending:
            break
        }
    }

    /// Advances after the library was compared with what the reading of a list has seen.
    mutating func advance(afterComparing hasUnseen: Bool) {
        guard case .comparing(var reading) = step else { return }
        if reading.isSecond == true {
            reading.isOutdated = hasUnseen
            step = .marking(reading, steps: 0)
            return
        }
        step = hasUnseen ? .pages(reading.second) : .closing(reading, steps: 0)
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
                let reading = ListReading(
                    list: list, isWhole: false, hadItems: page.hadItems, newCount: count,
                    formerlyUnread: page.formerlyUnread)
                return continueReading(reading, with: page)
            case .whole:
                if !hasStorefront, source == .appleMusic, list == .tracks { return .askStorefront(source) }
                let reading = ListReading(
                    list: list, isWhole: true, hadItems: page.hadItems, formerlyUnread: page.formerlyUnread)
                step = .clearing(reading, steps: 0)
                return nil
            }
        case .pages(let reading): return continueReading(reading, with: page)
        default: return nil
        }
    }

    private mutating func continueReading(_ reading: ListReading, with page: PageFacts) -> SyncAction? {
        var reading = reading
        let (offset, isFirst) = (reading.offset, reading.offset == 0)
        if !reading.isWhole, !isFirst {
            let left = max(0, reading.newCount - reading.entryCount)
            guard let comparison = page.comparison, comparison.fits(newCount: left, itemCount: page.itemCount) else {
                // Something else has changed as well.
                let whole = ListReading(
                    list: reading.list, isWhole: true, hadItems: reading.hadItems, counted: reading.counted,
                    formerlyUnread: reading.formerlyUnread)
                step = .clearing(whole, steps: 0)
                return nil
            }
        }
        addFacts(of: page, to: &reading)
        if case .undecided(let known, let appeared) = doubt, reading.list == .tracks, let comparison = page.comparison {
            // An overlapping item was already counted with its own page.
            let repeated = reading.overlap == nil ? 0 : min(1, comparison.knownCount)
            doubt = .undecided(known: known, appeared: appeared + comparison.knownCount - repeated)
        }
        // An offset that does not advance would be read forever, and so would empty pages beyond the end.
        let isBehindEnd = page.entryCount == 0 && offset >= reading.total ?? 0
        if let following = page.nextOffset, following > offset, !isBehindEnd, reading.isWhole || needsMore(page) {
            reading.offset = following
            reading.overlap = nil
            // The last item is only the entry before the next page if the page has no gaps.
            if reading.isWhole, overlaps(reading), page.isFull, page.entryCount == following - offset,
                let lastID = page.lastID, following - 1 > offset
            {
                reading.offset = following - 1
                reading.overlap = lastID
            }
            if reading.overlap == nil { reading.isGapless = false }
            step = .pages(reading)
        } else {
            reading.reachesEnd = page.nextOffset == nil && page.reach >= (reading.total ?? 0)
            step = afterPages(reading)
        }
        return .write(
            .page(reading.list, isWhole: reading.isWhole, isFirst: isFirst, total: page.total ?? reading.total))
    }

    /// Adds a page to what its reading knows about the list.
    private func addFacts(of page: PageFacts, to reading: inout ListReading) {
        if reading.offset == 0 {
            (reading.total, reading.head) = (page.total, page.head)
        } else if let total = page.total {
            // Apple Music does not report the total on every page.
            if total != reading.total ?? total { reading.isSteady = false }
            reading.total = reading.total ?? total
        }
        if let expected = reading.overlap, page.firstID != expected {
            // On a page that is not full, the first entry may be one that could not be read.
            if page.isFull { reading.isSteady = false } else { reading.isGapless = false }
        }
        let repeated = reading.overlap != nil && page.entryCount > 0 ? 1 : 0
        reading.entryCount += page.entryCount - repeated
        if page.unidentifiedCount > 0 {
            reading.unidentifiedCount = (reading.unidentifiedCount ?? 0) + page.unidentifiedCount
        }
        addProgress(of: page, repeated: repeated, to: &reading)
        // If new items extend to the end of the list, they are all of it.
        if !reading.isWhole, page.nextOffset == nil, needsMore(page), reading.entryCount != reading.total {
            reading.isSteady = false
        }
    }

    /// Adds a page to the progress that people see. A whole reading that follows a reading of new items counts from the
    /// start.
    private func addProgress(of page: PageFacts, repeated: Int, to reading: inout ListReading) {
        let former = reading.counted
        if reading.offset == 0 { reading.counted = ListReading.Progress(total: page.total ?? 0) }
        reading.counted.found += max(0, page.itemCount - repeated)
        reading.added = ListReading.Progress(
            found: reading.counted.found - former.found, total: reading.counted.total - former.total)
    }

    /// Whether pages of a whole reading overlap by one entry. If an entry is added, removed or moved between two
    /// requests, the others shift; then the last entry of a page is not the first entry of the next one, even if the
    /// total is the same. If nothing can be marked as missing, hidden entries do not matter. Lists of playlists are
    /// read by every sync, and overlaps would cost additional requests each time, so they are read a second time if
    /// something would be marked.
    private func overlaps(_ reading: ListReading) -> Bool { reading.hadItems && reading.list != .playlists }

    /// Whether a reading of new items continues after a page: until it reaches an item that the library already has.
    private func needsMore(_ page: PageFacts) -> Bool {
        page.comparison?.endsKnown != true
    }

    private mutating func afterPages(_ reading: ListReading) -> Step {
        if case .undecided(let known, let appeared) = doubt, reading.list == .tracks, reading.isWhole,
            reading.isComplete
        {
            doubt = appeared * 2 >= known ? .none : .asked
            return .settling(reading)
        }
        guard reading.isWhole, reading.isComplete, reading.hadItems, doubt == .none else {
            return .closing(reading, steps: 0)
        }
        return reading.isReliable && reading.isSecond != true ? .marking(reading, steps: 0) : .comparing(reading)
    }

    private mutating func afterSettling(_ reading: ListReading) -> Step {
        doubt == .none ? afterPages(reading) : .closing(reading, steps: 0)
    }
}

extension SourceProgress {
    // MARK: Playlists

    /// Advances after a request for a playlist's entries was answered.
    ///
    /// - Returns: `nil` if no entries are awaited.
    mutating func advance(afterFetching answer: EntriesFacts) -> SyncWrite? {
        guard case .entries(var reading) = step else { return nil }
        let (playlist, isFirst) = (reading.playlist, reading.offset == 0)
        step = .nextPlaylist(after: playlist.id)
        switch answer {
        case .forbidden: return .forbidden(playlist)
        // If entries are gone after the first page, the playlist is just being changed.
        case .empty: return .entries(playlist, isFirst: isFirst, total: nil, end: isFirst ? .show : .drop)
        case .page(let total, let nextOffset, let reach):
            // Apple Music does not report the total on every page.
            reading.total = reading.total ?? total
            if let total, total != reading.total {
                return .entries(playlist, isFirst: isFirst, total: total, end: .drop)
            }
            if let nextOffset, nextOffset > reading.offset, reading.offset < reading.total ?? .max {
                reading.offset = nextOffset
                step = .entries(reading)
                return .entries(playlist, isFirst: isFirst, total: reading.total, end: .open)
            }
            // A page may contain less than it has room for; what counts is how far the last page reaches.
            let isWhole = nextOffset == nil && reach >= reading.total ?? 0
            return .entries(playlist, isFirst: isFirst, total: reading.total, end: isWhole ? .show : .drop)
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
