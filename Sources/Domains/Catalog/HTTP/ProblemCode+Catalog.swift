import Gateway

extension ProblemCode {
    package static let spotifyNotConnected = ProblemCode("spotifyNotConnected")
    package static let appleMusicNotConnected = ProblemCode("appleMusicNotConnected")

    /// The codes of this domain.
    package static let catalog: [ProblemCode] = [spotifyNotConnected, appleMusicNotConnected]
}
