/// Why an act on a share is refused.
package enum ShareRefusal: Error, Sendable, Equatable {
    /// There is no such share, or the person may not see it, or it is not theirs where it has to be. Whoever asks does
    /// not learn which it is.
    case unknownShare
    /// The person has sent another share with the same id.
    case otherShare
    /// The person reacts to their own share.
    case ownShare
    case tooManyLinks(limit: Int)
    case unknownLink
    /// The profile of who makes a link is private.
    case profileIsPrivate
}
