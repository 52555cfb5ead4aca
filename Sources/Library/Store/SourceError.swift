import Model

/// Why a source failed or waits, for its person.
struct SourceError: Error, Sendable, Equatable {
    /// A code in camelCase: a kind of `ProviderFailure`, `noCloudLibrary`, or how the job ended.
    var code: String
    var message: String

    /// Of a source that was read to its end, where nothing is. No other sync mends it.
    static func noCloudLibrary(of source: MusicSource) -> SourceError {
        SourceError(
            code: "noCloudLibrary",
            message: "\(source.displayName) reports that this account has no cloud library, so there was nothing to read. "
                + "Either the account is new or Sync Library is off: turn Sync Library on in the settings of the Music "
                + "app, and sync again. What was read before stays.")
    }
}
