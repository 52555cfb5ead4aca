import Gateway

extension ProblemCode {
    package static let libraryEmpty = ProblemCode("libraryEmpty")
    package static let listNotComplete = ProblemCode("listNotComplete")
    package static let tooManyLists = ProblemCode("tooManyLists")
    package static let notAsked = ProblemCode("notAsked")

    /// The codes of this domain.
    package static let curation: [ProblemCode] = [libraryEmpty, listNotComplete, tooManyLists, notAsked]
}
