import TestProcesses

extension EditRecord {
    /// All rules that the record breaks.
    package var violations: [Violation] {
        unended.map { Violation(.acceptedEnds, $0) } + crashes.map { Violation(.processesLive, $0) } + wrongLists
            + wrongCreations + wrongOrders + wrongLibraries
    }

    private func timeline(of key: ListKey) -> EditTimeline {
        EditTimeline(key.id, first: lists[key]?.first ?? [], events[key.service] ?? [])
    }

    /// The playlist of an edit, even if Backline does not report it.
    private func list(of request: Request) -> ListKey? {
        if let list = request.list { return list }
        let name: ListName
        switch request.kind {
        case .add(let list, _), .remove(let list, _), .rename(let list): name = list
        case .create(let service, _): name = .made(service, tag: request.tag)
        case .copy: return request.copy?.list
        }
        switch name {
        case .given(let service, let index):
            return given[service].flatMap { $0.indices.contains(index) ? $0[index] : nil }
        case .made(let service, let tag):
            let id = made(tag, at: service, by: .app).first
            return id.map { ListKey(service, $0) }
        }
    }

    /// The playlists with an edit's name that somebody made.
    private func made(_ tag: Int, at service: Service, by author: SimulatedUpstream.RecordedEvent.Author) -> [String] {
        (events[service] ?? []).filter {
            $0.kind == .created && $0.author == author && $0.name == EditHistoryRun.name(tag)
        }.compactMap(\.playlist)
    }

    // MARK: Songs

    /// The errors of edits that may have a write under way that can no longer be looked for.
    private static let leavesWrites: Set = ["cancelled", "otherAccount"]

    /// How many entries of a song an edit adds, at least and at most; removed ones count negatively.
    private func effect(of request: Request, on song: String, _ timeline: EditTimeline) -> ClosedRange<Int> {
        func count(_ songs: some Sequence<String>) -> Int { songs.reduce(0) { $0 + ($1 == song ? 1 : 0) } }
        let all = count(request.songs)
        if case .rename = request.kind { return 0...0 }
        if let copy = request.copy {
            return (copy.state == "complete" ? count(copy.songs) : 0)...count(copy.songs)
        }
        // The service may have carried out any part of what a restored backup does not contain.
        if let forgotten = request.forgotten, forgotten.state != "complete" {
            guard !request.isRemoval else { return -1_000...0 }
            let done = count(request.songs.prefix(forgotten.done))
            return forgotten.state == "failed" && !Self.leavesWrites.contains(forgotten.error ?? "")
                ? done...done : done...all
        }
        let isComplete = request.forgotten != nil || request.outcome?.state == "complete"
        guard request.isRemoval else {
            let done = isComplete ? all : count(request.songs.prefix(request.outcome?.done ?? 0))
            let mayBeMore = Self.leavesWrites.contains(request.outcome?.error?.code ?? "")
            return done...(mayBeMore ? all : done)
        }
        let missing = count(request.missing)
        if isComplete { return (-all - missing)...(-all - missing) }
        // A part of it may have been carried out. What had to be kept is back, or is reported as missing.
        return timeline.hasRemoved(song) ? (-all - missing)...(-missing) : 0...0
    }

    /// Lists that do not contain what people requested.
    private var wrongLists: [Violation] {
        lists.sorted { $0.key.id < $1.key.id }.flatMap { key, list -> [Violation] in
            guard let final = list.final else { return [] }
            let timeline = timeline(of: key)
            let requests = requests.filter {
                if case .accepted = $0.answer { return self.list(of: $0) == key }
                return $0.forgotten != nil && self.list(of: $0) == key
            }
            // This is a copy that a restored backup does not contain.
            guard timeline.maker != .app || !requests.isEmpty else { return [] }
            let changed = timeline.moments.flatMap { $0.added + $0.removed }
            let removals = requests.filter(\.isRemoval).map(\.songs)
            return Set(list.first + final + changed + requests.flatMap { $0.songs + ($0.copy?.songs ?? []) }).sorted()
                .compactMap { song in
                    let base = list.first.count { $0 == song } + timeline.others(song)
                    let naming = requests.filter { ($0.songs + ($0.copy?.songs ?? [])).contains(song) }
                    var uncertain =
                        naming.isEmpty
                        ? 0
                        : timeline.uncertainty(
                            of: song, removals: removals, consistencyDelay: consistencyDelay,
                            interruptions: interruptions)
                    if naming.contains(where: { $0.wasRewound }) {
                        uncertain = max(uncertain, timeline.othersTouched(song))
                    }
                    var (least, most) = (base - uncertain, base + uncertain)
                    for request in requests {
                        let effect = effect(of: request, on: song, timeline)
                        (least, most) = (least + effect.lowerBound, most + effect.upperBound)
                    }
                    let found = final.count { $0 == song }
                    guard !(max(0, least)...max(0, most)).contains(found) else { return nil }
                    let wanted = least == most ? "\(least)" : "\(least) to \(most)"
                    return Violation(
                        found < least ? .songsLost : .songsDoubled,
                        "the playlist \(key.id) at \(key.service) has song \(song) \(found) times, not \(wanted): "
                            + describe(requests) + "; others: \(timeline.others(song)), at first "
                            + "\(list.first.count { $0 == song }); what happened: \(timeline)")
                }
        }
    }

    private func describe(_ requests: [Request]) -> String {
        requests.map { request in
            let state =
                request.forgotten.map { "forgotten when \($0.state)" } ?? request.outcome?.state
                ?? request.copy?.state ?? "?"
            let error = (request.outcome?.error?.code ?? request.copy?.error).map { " (\($0))" } ?? ""
            return "edit \(request.tag) is \(state)\(error)"
        }.joined(separator: ", ")
    }

    // MARK: New playlists

    /// Playlists that were made twice, and playlists of others to which Backline added songs.
    private var wrongCreations: [Violation] {
        requests.compactMap { request in
            guard case .create(let service, _) = request.kind else { return nil }
            let own = made(request.tag, at: service, by: .app)
            if own.count > 1 { return Violation(.songsDoubled, "edit \(request.tag) made \(own.count) playlists") }
            guard request.outcome?.state == "complete" else { return nil }
            guard own.count == 1 else {
                return Violation(.songsLost, "edit \(request.tag) is complete, and made no playlist")
            }
            guard request.list?.id == own[0] else {
                return Violation(
                    .songsLost,
                    "edit \(request.tag) made the playlist \(own[0]), and took \(request.list?.id ?? "none") for it")
            }
            return nil
        }
            + Service.allCases.compactMap { service in
                let copies = requests.count { request in
                    guard case .copy(let list) = request.kind, list.service == service.other else { return false }
                    return request.answer != .none
                }
                let made = (events[service] ?? []).count {
                    $0.kind == .created && $0.author == .app && $0.name?.hasPrefix("Made ") != true
                }
                return made > copies
                    ? Violation(.songsDoubled, "\(copies) copies made \(made) playlists at \(service)") : nil
            }
    }

    // MARK: Order

    /// Lists that nobody else changed but whose order is not the one that follows from the edits.
    private var wrongOrders: [Violation] {
        lists.sorted { $0.key.id < $1.key.id }.compactMap { key, list in
            guard let final = list.final, list.library != nil, !timeline(of: key).isOthers else { return nil }
            let requests = requests.filter { self.list(of: $0) == key }
            guard requests.allSatisfy({ $0.forgotten == nil && !$0.isCopy && $0.outcome?.state != "failed" }) else {
                return nil
            }
            var wanted = list.first
            let accepted = requests.compactMap { request -> (id: String, request: Request)? in
                if case .accepted(let id) = request.answer { (id, request) } else { nil }
            }
            // Ids increase in the order in which requests were accepted.
            for (_, request) in accepted.sorted(by: { $0.id < $1.id }) {
                switch request.kind {
                case .add, .create: wanted += request.songs
                case .remove:
                    for position in request.positions.sorted(by: >) where wanted.indices.contains(position) {
                        wanted.remove(at: position)
                    }
                case .rename, .copy: break
                }
            }
            guard final != wanted, final.sorted() == wanted.sorted() else { return nil }
            return Violation(.editOrder, "the playlist \(key.id) at \(key.service) is \(final), not \(wanted)")
        }
    }

    // MARK: The library

    /// Playlists that differ between the library and the service.
    private var wrongLibraries: [Violation] {
        lists.sorted { $0.key.id < $1.key.id }.compactMap { key, list in
            guard list.final != list.library else { return nil }
            guard let final = list.final else {
                // An empty list of playlists proves nothing (docs/library.md).
                guard lists.contains(where: { $0.key.service == key.service && $0.value.final != nil }) else {
                    return nil
                }
                return Violation(.libraryAgrees, "the library has \(key.id), which \(key.service) does not have")
            }
            guard let library = list.library else {
                return Violation(.libraryAgrees, "the library lacks \(key.id) of \(key.service)")
            }
            return Violation(
                .libraryAgrees, "the library has \(library) in \(key.id), and \(key.service) has \(final)")
        }
    }

    /// The initial playlists.
    private var given: [Service: [ListKey]] {
        givenIDs.reduce(into: [:]) { lists, entry in lists[entry.key] = entry.value.map { ListKey(entry.key, $0) } }
    }
}
