import Foundation
import Model
import Storage
import Testing
import Timeline
import Visibility

@testable import FeedHTTP
@testable import Gateway

/// A program of a person that shows the feed: it loads pages, whose answers may be late, and applies changes as
/// docs/openapi.yaml describes them.
struct FeedDevice: Sendable {
    /// An item as the device has it.
    struct Entry: Sendable, Equatable {
        let name: String
        let position: TimelinePosition
        let version: Int
        let source: String?
        /// Up to which change it is known to be so.
        let seq: Int64
    }

    /// An answer on its way.
    struct Answer: Sendable {
        let items: [Entry]
        let next: TimelinePosition?
        let seq: Int64
    }

    let viewer: Int
    /// Also those below the end of what was loaded, which may have changed while a page was on its way.
    private var entries: [String: Entry] = [:]
    /// The items up to it are loaded; `nil` for all.
    private(set) var end: TimelinePosition?
    private(set) var seq: Int64 = 0
    private var goneItems: [String: Int64] = [:]
    private var goneAuthors: [String: Int64] = [:]
    private var answer: Answer?

    init(viewer: Int) {
        self.viewer = viewer
    }

    /// What the device shows, the first item on top.
    var shown: [Entry] {
        entries.values.filter { $0.position >= end ?? TimelinePosition(score: .min, number: .min) }
            .sorted { $0.position > $1.position }
    }

    var isLoading: Bool { answer != nil }

    // MARK: Pages

    /// Loads the feed from the top, as many items as were shown.
    mutating func load(_ feed: FeedReader) throws {
        let page = try Self.read(feed, below: nil, limit: max(3, shown.count))
        entries = Dictionary(uniqueKeysWithValues: page.items.map { ($0.name, $0) })
        (end, seq) = (page.next, page.seq)
        (goneItems, goneAuthors, answer) = ([:], [:], nil)
    }

    /// Asks for the next page, which arrives later.
    mutating func request(_ feed: FeedReader, limit: Int) throws {
        guard let end, answer == nil else { return }
        answer = try Self.read(feed, below: end, limit: limit)
    }

    /// The page arrives that was asked for.
    mutating func receive() {
        guard let answer else { return }
        self.answer = nil
        for item in answer.items {
            if goneItems[item.name] ?? 0 > answer.seq { continue }
            if let source = item.source, goneAuthors[source] ?? 0 > answer.seq { continue }
            if let known = entries[item.name], known.seq > answer.seq { continue }
            entries[item.name] = item
        }
        end = answer.next
    }

    private static func read(_ feed: FeedReader, below position: TimelinePosition?, limit: Int) throws -> Answer {
        let page = try feed.page(below: position, limit: limit)
        let seq = try feed.reader.lastChange()
        let items = try page.items.map { item in
            try Entry(json: JSONWriter.object { item.writeMembers(to: &$0) }, seq: seq)
        }
        return Answer(items: items, next: page.next, seq: seq)
    }

    // MARK: Changes

    /// Applies what has changed since the last time.
    mutating func catchUp(_ feed: FeedReader) throws {
        var hasReset = false
        while true {
            let page = try ChangePage(
                of: [.feedItems(feed.sources), .departures], userID: feed.viewer.userID, after: seq, in: feed.reader)
            for change in page.changes { try apply(change, &hasReset) }
            guard let end = page.end else { break }
            seq = end
        }
        seq = try feed.reader.lastChange()
        // Whatever was on its way belongs to the former list.
        if hasReset { try load(feed) }
    }

    private mutating func apply(_ change: ItemChange, _ hasReset: inout Bool) throws {
        switch (change.kind, change.state) {
        case (.feedItem, .item(let json)):
            let entry = try Entry(json: json, seq: change.change)
            #expect(entry.name == change.id)
            entries[entry.name] = entry
            goneItems[entry.name] = nil
        case (.feedItem, .gone): remove(change.id, change.change)
        case (.feedItem, .reset): hasReset = true
        case (.itemsOf, .gone):
            goneAuthors[change.id] = change.change
            entries = entries.filter { $0.value.source != change.id }
        case (.person, .gone): remove("follow:" + change.id, change.change)
        case (.person, .item): break
        default: Issue.record("an unexpected change of \(change.kind.name)")
        }
    }

    private mutating func remove(_ name: String, _ change: Int64) {
        entries[name] = nil
        goneItems[name] = change
    }
}

extension FeedDevice {
    /// Checks that devices which read the changes of authors together get what each of them gets alone.
    ///
    /// - Returns: how many of them did so.
    static func checkTogether(
        _ readers: [ChangeReader], _ feeds: FeedSources, in reader: ReadTransaction, _ comment: Comment
    ) throws -> Int {
        let sources = [EventSource.feedItems(feeds)]
        let pages = try ChangePage.authorPages(of: sources, for: readers, in: reader)
        for (one, page) in pages {
            let alone = try ChangePage(of: sources, userID: one.userID, after: one.after, in: reader)
            #expect(page.changes.map(\.text) == alone.changes.map(\.text), "\(comment): \(one)")
        }
        return pages.count
    }
}

extension ItemChange {
    fileprivate var text: String {
        if case .item(let json) = state {
            "\(change) \(id) \(String(decoding: json, as: UTF8.self))"
        } else {
            "\(change) \(id) \(state)"
        }
    }
}

extension EventSource {
    /// What the source of people reports of whoever closes their profile or leaves, and without cards, which need
    /// accounts.
    fileprivate static let departures = EventSource(
        .person, topics: [.people], goneKinds: [.itemsOf], reportedGoneKinds: [.itemsOf], authors: Authors(.profile)
    ) { reader, userID, after, limit in
        guard let viewer = try reader.visibility.viewer(userID: userID) else { return [] }
        return try reader.visibility.changes(for: viewer, after: after, limit: limit).flatMap { change -> [Change] in
            let all = Change(number: change.change, gone: .itemsOf, id: change.userID)
            switch change.subject {
            case .act, .profile: return [Change(number: change.change, id: change.userID, data: [])]
            case .closing: return [all]
            case .departure: return [all, Change(number: change.change, gone: .person, id: change.userID)]
            }
        }
    }
}

extension FeedDevice.Entry {
    init(json: [UInt8], seq: Int64) throws {
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
        let kind = try #require(object["kind"] as? String)
        let content = try #require(object[kind] as? [String: Any])
        self.init(
            name: kind + ":" + (try #require(object["id"] as? String)),
            position: TimelinePosition(
                score: Int64(try #require(object["sortScore"] as? Int)),
                number: Int64(try #require(object["number"] as? Int))),
            version: try #require(content["version"] as? Int), source: content["source"] as? String, seq: seq)
    }
}
