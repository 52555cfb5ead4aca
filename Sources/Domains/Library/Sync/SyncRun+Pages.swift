import LibraryWriting
import Model
import Storage

extension SyncRun {
    // MARK: Fetching

    /// Returns the page if it was already fetched or requested, or else fetches it; completes it if it is certain to be
    /// written.
    func obtainPage(_ fetch: SyncFetch, _ state: SyncState, _ memory: inout SyncMemory) async throws -> FetchedPage {
        var page: UnwrittenPage
        if let unwritten = memory.page, unwritten.fetch == fetch {
            page = unwritten
        } else if let stored = memory.stored.first(where: { $0.fetch == fetch }) {
            page = stored
        } else if let ahead = try await takeAhead(&memory), ahead.fetch == fetch {
            page = ahead
        } else {
            memory.drop()
            page = UnwrittenPage(fetch: fetch, page: try await fetchPage(fetch))
        }
        memory.page = page
        // This happens before the state advances: if it fails, the page is fetched again.
        if state.writesNextPage, let source = state.source {
            page = try await completePage(page, of: source)
            memory.page = page
        }
        return page.page
    }

    private func takeAhead(_ memory: inout SyncMemory) async throws -> UnwrittenPage? {
        memory.ahead.isEmpty ? nil : try await memory.ahead.removeFirst().page()
    }

    func fetchPage(_ fetch: SyncFetch) async throws -> FetchedPage {
        switch fetch {
        case .list(.tracks, let offset, let source):
            .tracks(try await self.source(source).tracks(offset).map { IncomingTrack($0, of: source) })
        case .list(.playlists, let offset, let source): .playlists(try await self.source(source).playlists(offset))
        case .list(.albums, let offset, let source): .albums(try await self.source(source).albums(offset))
        case .entries(let id, let offset, let source): .entries(try await self.source(source).entries(id, offset))
        }
    }

    /// Completes a page that is about to be written.
    func completePage(_ page: UnwrittenPage, of source: MusicSource) async throws -> UnwrittenPage {
        guard !page.isComplete else { return page }
        var completed = page
        completed.isComplete = true
        if case .tracks(var tracks) = page.page, let complete = try self.source(source).complete {
            let items = try await complete(tracks.items.map(\.track))
            tracks.items = zip(tracks.items, items).map { $0.updated(to: $1) }
            completed.page = .tracks(tracks)
        }
        return completed
    }

    // MARK: Facts

    /// The end of the range of offsets that a page has room for.
    private func reach(of fetch: SyncFetch) throws -> Int {
        switch fetch {
        case .list(_, let offset, let source), .entries(_, let offset, let source):
            offset + (try self.source(source).pageSize)
        }
    }

    /// The facts about a page that the state machine needs.
    func facts(of page: FetchedPage, _ fetch: SyncFetch, _ state: SyncState) async throws -> SyncEvent {
        switch page {
        case .tracks(let page):
            .page(try await facts(of: page, fetch, state) { ($0.track.sourceID, $0.track.addedAt) })
        case .playlists(let page):
            .page(try await facts(of: page, fetch, state) { ($0.sourceID, $0.addedAt) })
        case .albums(let page):
            .page(try await facts(of: page, fetch, state) { ($0.sourceID, $0.addedAt) })
        case .entries(.empty): .entries(.empty)
        case .entries(.forbidden): .entries(.forbidden)
        case .entries(.page(let page)):
            .entries(.page(total: page.total, nextOffset: page.nextOffset, reach: try reach(of: fetch)))
        }
    }

    private func facts<Item: Sendable>(
        of page: SourcePage<Item>, _ fetch: SyncFetch, _ state: SyncState,
        by key: (Item) -> (id: String, addedAt: Timestamp?)
    ) async throws -> PageFacts {
        let items = page.items.map(key)
        var fingerprint = PageFingerprint()
        for item in items { fingerprint.add(item.id, item.addedAt) }
        var facts = PageFacts(
            itemCount: items.count, entryCount: page.entryCount,
            unidentifiedCount: max(0, page.entryCount - items.count - page.unreadIDs.count), total: page.total,
            nextOffset: page.nextOffset, reach: try reach(of: fetch), head: fingerprint.text,
            firstID: items.first?.id, lastID: items.last?.id)
        facts.lacksLibrary = page.lacksLibrary == true
        guard case .list(let list, _, let source) = fetch, let scan = self.scan(state),
            state.awaitsFirstPage || state.comparesItems
        else { return facts }
        let (isFirst, compares) = (state.awaitsFirstPage, state.comparesItems)
        let ids = items.map(\.id)
        if isFirst {
            let (record, hadItems) = try await database.read { reader in
                (
                    try reader.scans.scanRecord(of: list, by: scan),
                    try reader.scans.hasItems(of: list, by: scan)
                )
            }
            facts.hadItems = hadItems
            facts.last = record?.last
            facts.formerlyUnread = record?.unread
            facts.isWholeDue = record?.isWholeDue(of: source, now: .now()) ?? true
        }
        if compares {
            let known = try await database.read { try $0.scans.knownItems(of: list, among: ids, by: scan) }
            let endsKnown = items.last.map { item in
                known.keys.contains(item.id) && known[item.id] == .some(item.addedAt)
            }
            facts.comparison = PageFacts.Comparison(
                newOnTop: items.prefix { !known.keys.contains($0.id) }.count,
                knownCount: items.count { known.keys.contains($0.id) }, endsKnown: endsKnown ?? false)
        }
        return facts
    }
}
