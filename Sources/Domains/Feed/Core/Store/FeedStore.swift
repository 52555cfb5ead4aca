import Storage

/// The SQL of what people hide, mute and have read. Read or written in a transaction: `transaction.feed`.
package struct FeedStore<Access: SQLReader> {
    let transaction: Access
}

extension SQLReader {
    package var feed: FeedStore<Self> { FeedStore(transaction: self) }
}

extension ItemKind {
    /// How far a person has read the feed, in their event stream.
    package static let feedReadMark = ItemKind("feedReadMark")
    /// How far the parts of a person's feed have been found, in their event stream.
    package static let feedRefresh = ItemKind("feedRefresh")
}
