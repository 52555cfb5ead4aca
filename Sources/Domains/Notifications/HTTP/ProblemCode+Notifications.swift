import Gateway

extension ProblemCode {
    package static let tooManyPushTargets = ProblemCode("tooManyPushTargets")

    /// The codes of this domain.
    package static let notifications: [ProblemCode] = [tooManyPushTargets]
}
