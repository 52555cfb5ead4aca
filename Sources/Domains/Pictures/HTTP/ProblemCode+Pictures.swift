import Gateway

extension ProblemCode {
    package static let pictureUnavailable = ProblemCode("pictureUnavailable")

    /// The codes of this domain.
    package static let pictures: [ProblemCode] = [pictureUnavailable]
}
