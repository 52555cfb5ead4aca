import Storage
import Timeline
import Visibility

/// Gives the items of one kind in feeds their content. Each domain with such items has one.
package struct FeedItemSource: Sendable {
    package let kind: TimelineKind
    /// The contents of items, by their subjects, as a viewer may see them at this moment. What is missing in the answer
    /// is gone, or not visible to the viewer, and is not shown.
    package let contents:
        @Sendable (
            _ reader: ReadTransaction, _ viewer: Viewer, _ subjects: [Int64]
        ) throws -> [Int64: FeedContent]

    /// - Parameter contents: gets the numbers of the items (``TimelineItem/subject``), at most 100, each once.
    package init(
        _ kind: TimelineKind,
        contents:
            @escaping @Sendable (
                _ reader: ReadTransaction, _ viewer: Viewer, _ subjects: [Int64]
            ) throws -> [Int64: FeedContent]
    ) {
        self.kind = kind
        self.contents = contents
    }
}

/// What an item in a feed shows.
package struct FeedContent: Sendable {
    /// Unique among the items of the kind; at most 200 bytes. Of an item with revisions it is `<id>.<revision>`, and
    /// hiding hides all revisions of the id.
    package let id: String
    /// What items are folded by: the id of the sender, the venue or the artist. Items of one kind and day (UTC) with
    /// equal sources are shown as one.
    package let foldSource: String
    /// The item's object in the API, which is the member with the kind's name.
    package let json: [UInt8]

    package init(id: String, foldSource: String, json: [UInt8]) {
        (self.id, self.foldSource, self.json) = (id, foldSource, json)
    }
}
