import Storage
import Timeline
import Visibility

/// Gives the items of one kind in feeds their content. Each domain with such items has one.
package struct FeedItemSource: Sendable {
    package let kind: TimelineKind
    /// Whether the content of an item is the same for all viewers until the item's next change
    /// (`TimelineStore.touch`). It is made once then, for all feeds that show it.
    package let isSameForAll: Bool
    /// The contents of items, by their subjects, as a viewer may see them at this moment. What is missing in the answer
    /// is gone, or not visible to the viewer, and is not shown.
    package let contents:
        @Sendable (
            _ reader: ReadTransaction, _ viewer: Viewer, _ subjects: [Int64]
        ) throws -> [Int64: FeedContent]
    /// The contents of items as several viewers may see them at this moment, for all of these in a few statements; `nil`
    /// for a source that reads them for one viewer at a time. It gets at most 500 viewers and 100 subjects, each once.
    package let contentsForMany:
        (@Sendable (_ reader: ReadTransaction, _ viewers: [Viewer], _ subjects: [Int64]) throws -> [SeenContent])?
    /// The subjects of items, by their ids without revisions: of an item with revisions, that of the latest. What is
    /// missing in the answer is gone. Whether the viewer sees an item is up to ``contents``.
    package let subjects:
        @Sendable (_ reader: ReadTransaction, _ viewer: Viewer, _ ids: [String]) throws -> [String: Int64]

    /// - Parameters:
    ///   - isSameForAll: whether the content of an item is the same for all viewers until the item's next change.
    ///   - subjects: gets the ids of items, at most 100, each once, as some client has sent them.
    ///   - contentsForMany: the same for several viewers. Items of many people should have it: each of them reaches
    ///     the open streams of all of them at the same moment.
    ///   - contents: gets the numbers of the items (``TimelineItem/subject``), at most 100, each once.
    package init(
        _ kind: TimelineKind, isSameForAll: Bool = false,
        subjects:
            @escaping @Sendable (_ reader: ReadTransaction, _ viewer: Viewer, _ ids: [String]) throws ->
            [String: Int64],
        contentsForMany: (
            @Sendable (_ reader: ReadTransaction, _ viewers: [Viewer], _ subjects: [Int64]) throws -> [SeenContent]
        )? = nil,
        contents:
            @escaping @Sendable (
                _ reader: ReadTransaction, _ viewer: Viewer, _ subjects: [Int64]
            ) throws -> [Int64: FeedContent]
    ) {
        self.kind = kind
        self.isSameForAll = isSameForAll
        self.subjects = subjects
        self.contentsForMany = contentsForMany
        self.contents = contents
    }
}

/// The content of an item as some viewers see it alike. It is made once for all of them.
package struct SeenContent: Sendable {
    package let subject: Int64
    package let content: FeedContent
    /// Those who may see it.
    package let viewers: [PersonKey]

    package init(subject: Int64, content: FeedContent, viewers: [PersonKey]) {
        (self.subject, self.content, self.viewers) = (subject, content, viewers)
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
