import Gateway

extension ProblemCode {
    /// Neither Spotify nor Apple Music can be asked for the person.
    package static let releaseServiceMissing = ProblemCode("releaseServiceMissing")

    /// The codes of this domain.
    package static let releases: [ProblemCode] = [releaseServiceMissing]
}
