import Model

/// Why a source failed or is waiting, as shown to its user.
struct SourceError: Error, Sendable, Equatable {
    /// A code in camelCase: a kind of `ProviderFailure`, `noCloudLibrary`, or how the job ended.
    var code: String
    var message: String

    /// The error of a source that was read to its end and contains nothing. Another sync would not change this.
    static func noCloudLibrary(of source: MusicSource) -> SourceError {
        SourceError(
            code: "noCloudLibrary",
            message: "\(source.displayName) reports that this account has no cloud library, so there was nothing "
                + "to read. Either the account is new or Sync Library is off: turn Sync Library on in the settings of "
                + "the Music app, and sync again. What was read before is kept.")
    }
}
