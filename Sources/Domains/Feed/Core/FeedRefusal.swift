/// Why an act on a feed is refused.
package enum FeedRefusal: Error, Sendable, Equatable {
    /// The person was suspended or erased meanwhile.
    case unknownPerson
    case tooManyHiddenItems(limit: Int)
}
