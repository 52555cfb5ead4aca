import Gateway

extension ProblemCode {
    package static let tooManyNotes = ProblemCode("tooManyNotes")

    /// The codes of this domain.
    package static let notes: [ProblemCode] = [tooManyNotes]
}
