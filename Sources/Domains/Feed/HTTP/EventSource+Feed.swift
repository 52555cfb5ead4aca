import Feed
import Gateway
import Logging
import Model
import People
import Storage
import Timeline
import Visibility

extension EventSource {
    /// The items of a person's feed, as the person sees them at the moment of sending.
    static func feedItems(_ sources: FeedSources) -> EventSource {
        EventSource(
            .feedItem, topics: [.feed, .people], goneKinds: [.itemsOf, .person],
            authors: Authors(.items) { try sources.authorChanges(for: $1, in: $0) },
            count: { reader, userID, after, limit in
                guard let viewer = try reader.visibility.viewer(userID: userID) else { return 0 }
                return try changes(in: reader, viewer, after, limit).count
            },
            changes: { reader, userID, after, limit in
                guard let viewer = try reader.visibility.viewer(userID: userID) else { return [] }
                let feed = FeedReader(reader: reader, viewer: viewer, sources: sources, leftOut: [])
                var (shown, last): ([Change], Int64) = ([], after)
                // Fewer than asked for would mean that there are no others, so that what is not visible is read over.
                while shown.count < limit {
                    let found = try changes(in: reader, viewer, last, limit)
                    do {
                        shown += try feed.changes(found)
                    } catch is FeedSourceFailure {
                        // The pages say what is missing.
                        return [Change(number: found.last?.number ?? last, reset: .feedItem)]
                    }
                    guard found.count >= limit, let end = found.last else { break }
                    last = end.number
                }
                return shown
            })
    }

    /// What changed in a person's feed. Who reads everything gets nothing: the feed is read by pages, whose `seq` is the
    /// position after which its changes are read.
    private static func changes(
        in reader: ReadTransaction, _ viewer: Viewer, _ after: Int64, _ limit: Int
    ) throws -> [TimelineChange] {
        guard after > 0 else { return [] }
        let shared = try reader.timeline.changes(for: viewer, after: after, limit: limit)
        let follows = try reader.people.changedFollowItems(of: viewer, after: after, limit: limit).map { change in
            TimelineChange(
                number: change.number,
                content: change.item.map { .item($0) } ?? .gone(id: TimelineKind.follow.itemID(change.followerID)))
        }
        let found = (shared + follows).sorted { $0.number < $1.number }
        guard found.count > limit else { return found }
        let last = found[limit - 1].number
        return Array(found.prefix { $0.number <= last })
    }

    /// How far the person has read, on all of their devices.
    static let feedReadMarks = EventSource(.feedReadMark, topics: [.feed]) { reader, userID, after, _ in
        guard let person = try reader.visibility.viewer(userID: userID)?.key,
            let mark = try reader.feed.mark(of: person), mark.change > after
        else { return [] }
        return [
            Change(number: mark.change, id: "feed", data: JSONWriter.object { $0.member("readMark") { $0.mark(mark) } })
        ]
    }
}

extension EventSource {
    /// How far the parts of a person's feed have been found, while that changes.
    static func feedRefreshes(_ sources: FeedSources) -> EventSource {
        EventSource(.feedRefresh, topics: [.feedRefresh], isInChanges: false) { reader, userID, after, _ in
            guard let change = try reader.lastChange(of: userID, topic: .feedRefresh), change > after else { return [] }
            var status = FeedStatus()
            for source in sources.refreshes {
                do {
                    status.add(try source.state(reader, userID), of: source.name)
                } catch {
                    // The pages log why.
                    status.addFailure(of: source.name)
                }
            }
            return [
                Change(number: change, id: "feed", data: JSONWriter.object { status.writeMembers(to: &$0) })
            ]
        }
    }
}

extension FeedReader {
    /// Those of the changes that concern the viewer, as event streams report them.
    ///
    /// - Throws: ``FeedSourceFailure``.
    fileprivate func changes(_ found: [TimelineChange]) throws -> [EventSource.Change] {
        let hasItems = found.contains { $0.item != nil }
        let muted = hasItems ? try reader.feed.mutedKinds(of: viewer.key) : []
        let contents = try contents(of: found.compactMap(\.item).filter { !muted.contains($0.kind) })
        return found.compactMap { change in
            switch change.content {
            case .item(let item):
                // What is not visible is not reported: whoever made it so has reported that it is gone.
                guard let content = contents[item.position] else { return nil }
                return EventSource.Change(
                    number: change.number, id: item.kind.itemID(content.id),
                    data: JSONWriter.object { FeedItem(item: item, content: content).writeMembers(to: &$0) })
            case .gone(let id): return EventSource.Change(number: change.number, gone: .feedItem, id: id)
            case .reset: return EventSource.Change(number: change.number, reset: .feedItem)
            }
        }
    }
}

extension TimelineChange {
    fileprivate var item: TimelineItem? {
        if case .item(let item) = content { item } else { nil }
    }
}
