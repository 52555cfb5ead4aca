import Gateway

extension ProblemCode {
    package static let otherShare = ProblemCode("otherShare")
    package static let profileIsPrivate = ProblemCode("profileIsPrivate")
    package static let tooManyLinks = ProblemCode("tooManyLinks")

    /// The codes of this domain.
    package static let shares: [ProblemCode] = [otherShare, profileIsPrivate, tooManyLinks]
}
