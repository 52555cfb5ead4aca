import Gateway

extension ProblemCode {
    // The list of artists.
    package static let noTopArtists = ProblemCode("noTopArtists")
    package static let listFull = ProblemCode("listFull")
    package static let duplicateArtist = ProblemCode("duplicateArtist")
    package static let invalidPosition = ProblemCode("invalidPosition")
    package static let nameEmpty = ProblemCode("nameEmpty")
    package static let nameTooLong = ProblemCode("nameTooLong")
    package static let nameHasControlCharacter = ProblemCode("nameHasControlCharacter")

    // Searches.
    package static let noArtists = ProblemCode("noArtists")
    package static let noDates = ProblemCode("noDates")
    package static let nothingToRetry = ProblemCode("nothingToRetry")

    // Feeds, as the reason why concerts are missing.
    package static let ticketmasterNotConnected = ProblemCode("ticketmasterNotConnected")

    /// The codes of this domain.
    package static let concerts: [ProblemCode] = [
        noTopArtists, listFull, duplicateArtist, invalidPosition, nameEmpty, nameTooLong, nameHasControlCharacter,
        noArtists, noDates, nothingToRetry, ticketmasterNotConnected,
    ]
}
