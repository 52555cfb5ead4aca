/// What happened to the playlists of one service since the recording began, in order: `GET …/library/record`.
struct LibraryRecord: Sendable, Codable {
    struct Event: Sendable, Codable {
        enum Kind: String, Sendable, Codable {
            /// A request arrived that names a playlist or makes one.
            case request
            case created, deleted, changed, renamed
        }

        /// Who changed a playlist.
        enum Author: String, Sendable, Codable {
            /// A program, through the service's API.
            case app
            /// The person, in the service's own app.
            case person
        }

        /// The moment in microseconds on `CLOCK_BOOTTIME`.
        var at: Int64
        var kind: Kind
        /// The playlist's id; `nil` for a request that names none.
        var playlist: String?
        /// For a request, its name as in the counters.
        var endpoint: String?
        /// For a request, the fault that was applied.
        var fault: FaultRule.Kind?
        /// For a change, who made it.
        var author: Author?
        /// For a change, the name afterwards.
        var name: String?
        /// For a change, the library ids of the songs afterwards, including those that are not shown yet; entries that
        /// are not songs are empty texts.
        var entries: [String]?
    }

    /// The most events in a recording; later ones are not recorded.
    static let most = 100_000

    private(set) var events: [Event] = []

    mutating func append(_ event: Event) {
        guard events.count < Self.most else { return }
        events.append(event)
    }
}

extension PersonalLibrary {
    /// The songs of a playlist, including those that are not shown yet.
    func songs(of playlist: SavedPlaylist) -> [String] {
        var items = playlist.items
        for addition in pending {
            if case .items(let added, playlist.id) = addition.content { items += added }
        }
        return items.map { songID(of: $0) ?? "" }
    }

    /// All playlists, including those that are not shown yet.
    var everyPlaylist: [SavedPlaylist] {
        pending.compactMap { addition in
            if case .playlist(let playlist) = addition.content { playlist } else { nil }
        } + playlists
    }

    /// The events that describe how the playlists changed since a former state.
    func events(since former: PersonalLibrary, by author: LibraryRecord.Event.Author, at moment: Int64)
        -> [LibraryRecord.Event]
    {
        func event(_ kind: LibraryRecord.Event.Kind, _ playlist: SavedPlaylist, in library: PersonalLibrary)
            -> LibraryRecord.Event
        {
            LibraryRecord.Event(
                at: moment, kind: kind, playlist: playlist.id, author: author, name: playlist.name,
                entries: library.songs(of: playlist))
        }
        let before = Dictionary(former.everyPlaylist.map { ($0.id, $0) }) { first, _ in first }
        let now = everyPlaylist
        let ids = Set(now.map(\.id))
        var events = former.everyPlaylist.filter { !ids.contains($0.id) }.map { event(.deleted, $0, in: former) }
        for playlist in now {
            guard let known = before[playlist.id] else {
                events.append(event(.created, playlist, in: self))
                continue
            }
            if known.name != playlist.name { events.append(event(.renamed, playlist, in: self)) }
            if songs(of: playlist) != former.songs(of: known) { events.append(event(.changed, playlist, in: self)) }
        }
        return events
    }
}
