import Gateway

extension ProblemCode {
    package static let tooManyFollows = ProblemCode("tooManyFollows")
    package static let alreadyDecided = ProblemCode("alreadyDecided")

    /// The codes of this domain.
    package static let people: [ProblemCode] = [tooManyFollows, alreadyDecided]
}
