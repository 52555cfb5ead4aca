import Feed
import Gateway
import Model
import Storage
import Timeline
import Visibility

extension FeedSources {
    /// The most changes of one person that are read together with those of others. Whoever has more was away.
    private static let mostChanges = 20
    /// The most items that are read together.
    private static let mostItems = 100

    /// The changes of authors in the feeds of several people, as each of them may see them at this moment.
    ///
    /// - Returns: those of each person; somebody is missing whose feed has to be read alone.
    func authorChanges(
        for readers: [ChangeReader], in reader: ReadTransaction
    ) throws -> [ChangeReader: [EventSource.Change]] {
        let viewers = try reader.visibility.viewers(userIDs: Set(readers.map(\.userID)))
        var positions: [ChangeReader: ViewerPosition] = [:]
        for one in readers { positions[one] = viewers[one.userID].map { ViewerPosition($0, after: one.after) } }
        let found = try reader.timeline.authorChanges(for: Array(Set(positions.values)))
            .filter { $0.value.count <= Self.mostChanges }
        let items = try events(of: found, in: reader)
        return readers.reduce(into: [:]) { all, one in
            // Whoever is suspended or gone reads nothing.
            guard let position = positions[one] else { return all[one] = [] }
            guard let changes = found[position], changes.allSatisfy({ items.has($0) }) else { return }
            all[one] = changes.compactMap { items.event(of: $0, for: position.viewer.key) }
        }
    }

    /// The items of changes as their readers see them.
    private func events(
        of found: [ViewerPosition: [TimelineChange]], in reader: ReadTransaction
    ) throws -> SeenItems {
        var seen = SeenItems()
        var latest: [Int64: TimelineItem] = [:]
        for case .item(let item) in found.values.joined().map(\.content) {
            // An item of several topics may have been added to some of them later.
            if latest[item.subject]?.change ?? 0 < item.change { latest[item.subject] = item }
        }
        guard !latest.isEmpty, latest.count <= Self.mostItems else { return seen }
        let viewers = Set(found.lazy.filter { !$0.value.isEmpty }.map(\.key.viewer))
        let muted = try reader.feed.mutedKinds(of: viewers.map(\.key))
        for (kind, items) in Dictionary(grouping: latest.values, by: \.kind) {
            guard let source = self.items(of: kind) else { continue }
            let viewers = viewers.filter { muted[$0.key]?.contains(kind) != true }
            guard let contents = try contents(of: items, from: source, for: Array(viewers), in: reader)
            else { continue }
            let hidden = try reader.feed.hidden(
                kind, among: contents.map(\.content.id), by: viewers.map(\.key))
            seen.readKinds.insert(kind)
            for one in contents {
                guard let item = latest[one.subject] else { continue }
                seen.add(
                    FeedItem(item: item, content: one.content),
                    for: one.viewers.filter { hidden[$0]?.contains(one.content.id) != true })
            }
        }
        return seen
    }

    /// The contents of items; `nil` from a source that reads them for one viewer at a time.
    private func contents(
        of items: [TimelineItem], from source: FeedItemSource, for viewers: [Viewer], in reader: ReadTransaction
    ) throws -> [SeenContent]? {
        guard let first = viewers.first else { return [] }
        if source.isSameForAll {
            let keys = viewers.map(\.key)
            return try contentsForAll(of: items, from: source, for: first, in: reader).map {
                SeenContent(subject: $0.key, content: $0.value, viewers: keys)
            }
        }
        return try source.contentsForMany?(reader, viewers, items.map(\.subject))
    }

    /// The contents of a source that gives all viewers the same, by subject: made once after each change of the item.
    ///
    /// - Parameter viewer: any of those who see the items.
    func contentsForAll(
        of items: some Collection<TimelineItem>, from source: FeedItemSource, for viewer: Viewer,
        in reader: ReadTransaction
    ) throws -> [Int64: FeedContent] {
        let keys = Dictionary(items.map { ($0.subject, ContentKey($0)) }) { first, _ in first }
        let found = try sharedContents.values(of: keys.values) { unknown in
            let unknown = Set(unknown)
            let subjects = keys.filter { unknown.contains($0.value) }.keys
            return try source.contents(reader, viewer, Array(subjects)).reduce(into: [:]) { made, content in
                if let key = keys[content.key] { made[key] = content.value }
            }
        }
        return keys.compactMapValues { found[$0] }
    }
}

/// Items as several viewers see them, each with its JSON, which those share who see the same.
private struct SeenItems {
    /// The kinds of which all viewers are known.
    var readKinds: Set<TimelineKind> = []
    private var events: [Int64: [PersonKey: (id: String, data: [UInt8])]] = [:]

    mutating func add(_ item: FeedItem, for viewers: [PersonKey]) {
        let id = item.item.kind.itemID(item.content.id)
        let data = JSONWriter.object { item.writeMembers(to: &$0) }
        for viewer in viewers { events[item.item.position.number, default: [:]][viewer] = (id, data) }
    }

    /// Whether it is known who sees the item of a change.
    func has(_ change: TimelineChange) -> Bool {
        if case .item(let item) = change.content { readKinds.contains(item.kind) } else { true }
    }

    /// A change as an event for a viewer; `nil` for an item that the viewer does not see: whoever made it so has reported
    /// that it is gone.
    func event(of change: TimelineChange, for viewer: PersonKey) -> EventSource.Change? {
        switch change.content {
        case .item(let item):
            events[item.position.number]?[viewer].map {
                EventSource.Change(number: change.number, id: $0.id, data: $0.data)
            }
        case .gone(let id): EventSource.Change(number: change.number, gone: .feedItem, id: id)
        case .reset: EventSource.Change(number: change.number, reset: .feedItem)
        }
    }
}
