import Storage
import Visibility

/// The items of all authors of a person who has so many of them that looking for the newest item of each takes longer
/// than looking at the newest items of everybody. When these are used up, it goes on with ``AuthorLane``s.
struct WindowLane<Reader: SQLReader>: TimelineLane {
    private let reader: Reader
    private let viewer: Viewer
    private var windows: ArraySlice<Int>
    private var position: TimelinePosition
    private var items: ArraySlice<TimelineItem> = []
    private var rest: TimelineMerge?
    private var isAtEnd = false

    /// - Parameter windows: how many of the newest items are looked at, in one statement after the other.
    init(_ reader: Reader, viewer: Viewer, below position: TimelinePosition, windows: [Int]) {
        (self.reader, self.viewer, self.position, self.windows) = (reader, viewer, position, windows[...])
    }

    mutating func first() throws -> TimelineItem? {
        while items.isEmpty, !isAtEnd, let size = windows.popFirst() { try read(size) }
        if let item = items.first { return item }
        if isAtEnd { return nil }
        if rest == nil {
            rest = TimelineMerge(AuthorSet.allCases.map { AuthorLane(reader, $0, viewer: viewer, below: position) })
        }
        return try rest?.first()
    }

    mutating func removeFirst() {
        if items.isEmpty { rest?.removeFirst() } else { items.removeFirst() }
    }

    /// Looks at the next items of everybody.
    private mutating func read(_ size: Int) throws {
        let below: SQL = "(score, number) < (\(position.score), \(position.number))"
        let end = try reader.row(
            """
            SELECT score, number FROM timeline_items WHERE \(below)
            ORDER BY score DESC, number DESC LIMIT 1 OFFSET \(size - 1)
            """
        ).map(TimelinePosition.init)
        // All rows of the last item belong to the window, since it may be of several topics.
        let window = end.map { below + " AND (score, number) >= (\($0.score), \($0.number))" } ?? below
        let membership = AuthorSet.allCases.map { $0.membership(of: viewer) }
        let isOfReader = membership.dropFirst().reduce(membership[0]) { $0 + " OR " + $1 }
        // The limit within keeps the database from reading the rows of items that are not the reader's.
        let found = try reader.map(
            """
            SELECT items.author AS author, items.kind AS kind, items.score AS score, items.number AS number,
                items.change AS change
            FROM (
                SELECT author, score, number FROM timeline_items WHERE \(window) AND (\(isOfReader))
                LIMIT \(size * mostTopicsOfItem)) AS found
                CROSS JOIN timeline_items AS items
            WHERE items.author = found.author AND items.score = found.score AND items.number = found.number
            ORDER BY items.score DESC, items.number DESC
            """
        ) { row in (author: TimelineAuthor(rawValue: try row["author"]), item: try TimelineItem(row: row)) }
        let visible = try reader.timeline.visible(found.map(\.author), to: viewer)
        var kept: [TimelineItem] = []
        for case (let author, let item?) in found
        where visible.contains(author) && kept.last?.position != item.position { kept.append(item) }
        items = kept[...]
        if let end { position = end } else { isAtEnd = true }
    }
}

/// More topics than any item has.
private let mostTopicsOfItem = 1_000
