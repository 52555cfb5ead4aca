/// Why an act toward a person is refused.
package enum PeopleRefusal: Error, Sendable, Equatable {
    /// There is no such person, or the viewer may not know that there is, or the two have nothing to do with each other
    /// in this way. Whoever asks does not learn which it is.
    case unknownPerson
    /// The person named themself.
    case selfTarget
    case tooManyFollows(limit: Int)
    /// There is no such report.
    case unknownReport
    /// The report was decided in another way.
    case alreadyDecided
}
