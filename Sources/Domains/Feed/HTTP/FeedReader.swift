import Feed
import Gateway
import People
import Storage
import Timeline
import Visibility

/// A page of a feed.
struct FeedPage: Sendable {
    var items: [FeedItem] = []
    /// The items of the next page are below it; `nil` at the end.
    var next: TimelinePosition?
}

/// A source could not be read.
struct FeedSourceFailure: Error {
    enum Source: Hashable {
        /// The contents of the items of a kind.
        case items(TimelineKind)
        /// How far a domain's parts have been found.
        case refresh(String)

        var name: String {
            switch self {
            case .items(let kind): kind.name
            case .refresh(let domain): domain
            }
        }
    }

    let source: Source
    let error: any Error
}

/// Reads the feed of a viewer within a transaction: what is visible is decided by what the viewer may see then.
struct FeedReader {
    /// How many items are looked at together.
    private static let batch = 20

    let reader: ReadTransaction
    let viewer: Viewer
    let sources: FeedSources
    /// Sources that fail.
    let leftOut: Set<FeedSourceFailure.Source>
    var method = TimelineMethod()
    /// The most items that one page looks at, visible or not. The next page goes on from there.
    var mostItems = 1_000

    /// - Parameters:
    ///   - position: the items are below it; `nil` for the first page.
    ///   - mark: the page ends above it; `nil` for a page that reads on.
    ///   - limit: at most 101.
    /// - Throws: ``FeedSourceFailure``.
    func page(
        below position: TimelinePosition? = nil, above mark: TimelinePosition? = nil, limit: Int
    ) throws -> FeedPage {
        let muted = try reader.feed.mutedKinds(of: viewer.key)
        let unwanted = muted.union(TimelineKind.allCases.filter { leftOut.contains(.items($0)) })
        var merge = try items(below: position, without: unwanted)
        var page = FeedPage()
        var looked = 0
        while true {
            let batch = try merge.next(Self.batch)
            let shown = try contents(of: batch.filter { !unwanted.contains($0.kind) })
            for (index, item) in batch.enumerated() {
                if let mark, item.position <= mark { return page }
                if let content = shown[item.position] { page.items.append(FeedItem(item: item, content: content)) }
                guard page.items.count == limit else { continue }
                let hasMore = try index + 1 < batch.count || merge.first() != nil
                page.next = hasMore ? item.position : nil
                return page
            }
            looked += batch.count
            guard batch.count == Self.batch, let last = batch.last else { return page }
            if looked >= mostItems {
                page.next = last.position
                return page
            }
        }
    }

    private func items(below position: TimelinePosition?, without unwanted: Set<TimelineKind>) throws -> TimelineMerge {
        var lanes: [any TimelineLane] = []
        if !unwanted.contains(.follow) {
            lanes.append(
                StatementLane(below: position) { [reader, viewer] in
                    try reader.people.followItems(of: viewer, below: $0, limit: $1)
                })
        }
        return try reader.timeline.feed(of: viewer, below: position, beside: lanes, method: method)
    }

    /// The contents of those of the items that the viewer sees and has not hidden.
    ///
    /// - Parameter items: at most 500.
    /// - Throws: ``FeedSourceFailure``.
    func contents(of items: [TimelineItem]) throws -> [TimelinePosition: FeedContent] {
        var contents: [TimelinePosition: FeedContent] = [:]
        for (kind, items) in Dictionary(grouping: items, by: \.kind) where !leftOut.contains(.items(kind)) {
            guard let source = sources.items(of: kind) else { continue }
            for start in stride(from: 0, to: items.count, by: 100) {
                let part = items[start..<min(start + 100, items.count)]
                let found: [Int64: FeedContent]
                do {
                    found = try self.contents(of: part, from: source)
                } catch {
                    throw FeedSourceFailure(source: .items(kind), error: error)
                }
                if found.isEmpty { continue }
                let hidden = try reader.feed.hidden(kind, among: found.values.map(\.id), by: viewer.key)
                for item in part {
                    guard let content = found[item.subject], !hidden.contains(content.id) else { continue }
                    contents[item.position] = content
                }
            }
        }
        return contents
    }
}

extension FeedReader {
    /// How far the parts of the feed have been found at the moment of its pages, which therefore have all items of a part
    /// that is done.
    ///
    /// - Throws: ``FeedSourceFailure``.
    func status() throws -> FeedStatus {
        var status = FeedStatus()
        for source in sources.refreshes where !leftOut.contains(.refresh(source.name)) {
            do {
                status.add(try source.state(reader, viewer.userID), of: source.name)
            } catch {
                throw FeedSourceFailure(source: .refresh(source.name), error: error)
            }
        }
        return status
    }

    /// The contents of items, by their subjects.
    private func contents(
        of items: ArraySlice<TimelineItem>, from source: FeedItemSource
    ) throws -> [Int64: FeedContent] {
        try source.isSameForAll
            ? sources.contentsForAll(of: items, from: source, for: viewer, in: reader)
            : source.contents(reader, viewer, items.map(\.subject))
    }

    /// Runs `body` with readers until none of the sources fails: a source that does is left out, and the others are read
    /// again in another transaction, since an error may have ended the one before.
    ///
    /// - Parameter body: gets `nil` for somebody who is suspended or gone.
    /// - Returns: the result, and the failures.
    static func read<Value: Sendable>(
        _ userID: String, of sources: FeedSources, in database: Database,
        _ body: @escaping @Sendable (ReadTransaction, FeedReader?) throws -> Value
    ) async throws -> (Value, [FeedSourceFailure]) {
        var failures: [FeedSourceFailure] = []
        while true {
            do {
                let leftOut = Set(failures.map(\.source))
                let value = try await database.read { transaction in
                    let viewer = try transaction.visibility.viewer(userID: userID)
                    return try body(
                        transaction,
                        viewer.map {
                            FeedReader(reader: transaction, viewer: $0, sources: sources, leftOut: leftOut)
                        })
                }
                return (value, failures)
            } catch let failure as FeedSourceFailure {
                failures.append(failure)
            }
        }
    }
}
