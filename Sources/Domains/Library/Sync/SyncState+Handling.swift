import LibraryWriting
import Model

extension SyncState {
    /// Handles an event, and returns the next action. If it is a write, its transaction stores the state after this
    /// call.
    mutating func handle(_ event: SyncEvent) -> SyncAction {
        switch (event, stage) {
        case (.account(let facts), .account(let source)):
            stage = .scanning(
                SourceProgress(
                    source: source, account: facts.account, accountID: facts.accountID, doubt: facts.doubt,
                    formerAccount: facts.formerAccount))
            if facts.needsStorefront { return .askStorefront(source) }
        case (.storefront, .scanning(var progress)):
            progress.hasStorefront = true
            stage = .scanning(progress)
        case (.page(let page), .scanning(var progress)):
            let action = progress.advance(afterFetching: page)
            // Playlists and albums have no tracks to merge.
            if case .write(let write) = action {
                countWritten()
                if case .page(let list, _, _, _) = write {
                    progress.isWritingPage = true
                    if list == .tracks { mustMerge = true }
                }
            }
            stage = .scanning(progress)
            if let action { return action }
        case (.entries(let answer), .scanning(var progress)):
            let write = progress.advance(afterFetching: answer)
            mustMerge = true
            stage = .scanning(progress)
            if let write {
                countWritten()
                return .write(write)
            }
        case (.playlist(let playlist), .scanning(var progress)):
            progress.step = playlist.map { .entries(EntriesScan(playlist: $0)) } ?? .first(.albums)
            stage = .scanning(progress)
        case (.unseen(let isAny), .scanning(var progress)):
            progress.advance(afterComparing: isAny)
            stage = .scanning(progress)
        case (.written(let count), .scanning(var progress)):
            // The step is already the one after the page.
            if progress.isWritingPage {
                progress.isWritingPage = false
            } else {
                // These are the rows of a divided step; the next write stores the count.
                if count > 0 { countWritten() }
                progress.advance(afterWriting: count)
            }
            stage = .scanning(progress)
        case (.resumed, .scanning(var progress)):
            progress.isWritingPage = false
            stage = .scanning(progress)
        case (.merged(let isDone), .merging(let steps)):
            if !isDone { countWritten() }
            stage = isDone ? .finished : .merging(steps: steps + 1)
        case (.failed, .account(let source)):
            return endSource(source, as: .failed)
        case (.failed, .scanning(let progress)):
            return endSource(progress.source, as: .failed)
        default: break
        }
        if case .scanning(let progress) = stage, progress.step == .ending {
            return endSource(progress.source, as: .complete, lacksLibrary: progress.lacksLibrary == true)
        }
        if stage == .choosing { chooseSource() }
        return next
    }

    /// The action that the state requires, regardless of what happened before. A resumed sync begins with it.
    private var next: SyncAction {
        switch stage {
        case .choosing, .finished: .finish
        case .account(let source): .askAccount(source)
        case .scanning(let progress): progress.next
        case .merging: .write(.merge)
        }
    }

    /// Leaves the current source. The write that ends it stores this.
    private mutating func endSource(
        _ source: MusicSource, as outcome: Part.Outcome, lacksLibrary: Bool = false
    ) -> SyncAction {
        for index in sources.indices where sources[index].source == source { sources[index].outcome = outcome }
        countWritten()
        stage = .choosing
        return .write(outcome == .complete ? .complete(source, lacksLibrary: lacksLibrary) : .fail(source))
    }

    /// Chooses what follows a source: the next one, or else one that was set aside.
    private mutating func chooseSource() {
        let waiting = sources.indices.filter { sources[$0].outcome == .waiting }
        guard let index = waiting.first(where: { sources[$0].paused == nil }) ?? waiting.first else {
            stage = mustMerge ? .merging(steps: 0) : .finished
            return
        }
        stage = sources[index].paused ?? .account(sources[index].source)
        sources[index].paused = nil
    }

    /// The request that the state begins with; `nil` if it begins with something else.
    var request: SyncFetch? {
        guard case .fetch(let fetch) = next else { return nil }
        return fetch
    }

    /// The request for the page of tracks after the one to be written. It can be sent while that page is written.
    var upcoming: SyncFetch? {
        guard case .scanning(let progress) = stage, case .pages(let scan) = progress.step, scan.list == .tracks,
            scan.offset > 0
        else { return nil }
        return request
    }

    /// Whether the next page's items have to be compared with the library.
    var comparesItems: Bool {
        guard case .scanning(let progress) = stage else { return false }
        switch progress.step {
        case .first(let list): return progress.readsNewest(of: list)
        case .pages(let scan):
            if case .undecided = progress.doubt { return scan.list == .tracks }
            return !scan.isWhole
        default: return false
        }
    }

    /// Whether the next page is certain to be written. A first page may show that nothing has changed.
    var writesNextPage: Bool {
        guard case .scanning(let progress) = stage, case .pages = progress.step else { return false }
        return true
    }

    /// Whether the next page is the first of its list, which is compared with what the last scan saw.
    var awaitsFirstPage: Bool {
        guard case .scanning(let progress) = stage, case .first = progress.step else { return false }
        return true
    }

    /// The source that is being read, with its account.
    var progress: SourceProgress? {
        guard case .scanning(let progress) = stage else { return nil }
        return progress
    }

    package enum Outcome: String, Sendable {
        case complete, partial, failed
    }

    /// How the sync ended.
    ///
    /// - Parameters:
    ///   - awaitsPerson: whether a source that failed is waiting for the user.
    ///   - hasLeft: whether it left a source to an earlier sync that has not read it yet.
    package func outcome(awaitsPerson: Bool, hasLeft: Bool = false) -> Outcome {
        let failed = sources.count { $0.outcome == .failed }
        if failed == 0 { return hasLeft ? .partial : .complete }
        // A sync that continues on its own once the user has given consent has not failed.
        return failed < sources.count || awaitsPerson ? .partial : .failed
    }
}
