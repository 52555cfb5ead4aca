import Storage

/// Reports how far a domain has found what it adds to somebody's feed, and what it lacks for that.
package struct FeedRefreshSource: Sendable {
    /// The name of the domain, such as `concerts`.
    package let name: String
    package let state: @Sendable (_ reader: ReadTransaction, _ userID: String) throws -> FeedRefresh

    package init(
        _ name: String, state: @escaping @Sendable (_ reader: ReadTransaction, _ userID: String) throws -> FeedRefresh
    ) {
        self.name = name
        self.state = state
    }
}

/// How far the parts of somebody's feed have been found.
package struct FeedRefresh: Sendable {
    /// The parts that the feed shows. One that never began is not among them, and neither is one that ended long ago.
    package var parts: [FeedRefreshPart]
    /// Why something is missing in the feed, and what to do about it.
    package var missing: [Problem]

    package init(parts: [FeedRefreshPart] = [], missing: [Problem] = []) {
        (self.parts, self.missing) = (parts, missing)
    }
}

/// A part of a feed that a domain finds by asking services.
package struct FeedRefreshPart: Sendable {
    package enum State: String, Sendable, CaseIterable {
        case waiting, running, done, failed
    }

    /// Such as `nearby`, `artists` or `releases`.
    package let part: String
    package let state: State
    /// How many of ``total`` have been asked about, such as artists; `nil` where there is nothing to count.
    package let done: Int?
    package let total: Int?

    package init(_ part: String, _ state: State, done: Int? = nil, total: Int? = nil) {
        (self.part, self.state, self.done, self.total) = (part, state, done, total)
    }
}
