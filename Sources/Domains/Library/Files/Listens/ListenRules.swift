import Model

/// Which plays in files are listens: those of at least half the recording or four minutes, as ListenBrainz and Last.fm
/// count them, or of 30 s if the length is not known.
enum ListenRules {
    private static let enoughMs = 240_000
    private static let enoughOfUnknownMs = 30_000

    /// - Returns: why a play is not a listen; `nil` for a listen.
    static func refusal(playedMs: Int, durationMs: Int?) -> String? {
        guard playedMs > 0 else { return "it was not played" }
        let wanted = durationMs.flatMap { $0 > 0 ? min(enoughMs, $0 / 2) : nil } ?? enoughOfUnknownMs
        return playedMs >= wanted ? nil : "it was played for only \(playedMs / 1_000) s"
    }

    static let noMusic = "it is not music"
    static let noNames = "it has no title or no artist"
    static let noTime = "its time is missing or cannot be read"
    static let noPlayedTime = "the time for which it was played is missing or cannot be read"
    static let isTooEarly = "its time is before October 2002, when the first listens were recorded"
    static let isInFuture = "its time is more than a day in the future"
    static let unknownSong = "the service does not name the song"
}
