import Gateway

extension ProblemCode {
    package static let feedSourceFailed = ProblemCode("feedSourceFailed")
    package static let tooManyHiddenItems = ProblemCode("tooManyHiddenItems")

    /// The codes of this domain.
    package static let feed: [ProblemCode] = [feedSourceFailed, tooManyHiddenItems]
}
