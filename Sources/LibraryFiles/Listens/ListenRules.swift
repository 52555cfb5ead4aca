import Model

/// Which plays of files are listens: those of half the recording or of four minutes, as ListenBrainz and Last.fm count
/// them, and of 30 s where the length is not known.
enum ListenRules {
    private static let enoughMs = 240_000
    private static let enoughOfUnknownMs = 30_000

    /// - Returns: why a play is no listen; `nil` for a listen.
    static func refusal(playedMs: Int, durationMs: Int?) -> String? {
        guard playedMs > 0 else { return "it was not played" }
        let wanted = durationMs.flatMap { $0 > 0 ? min(enoughMs, $0 / 2) : nil } ?? enoughOfUnknownMs
        return playedMs >= wanted ? nil : "it was played for \(playedMs / 1_000) s only"
    }

    static let noMusic = "it is no music"
    static let noNames = "it has no title or no artist"
    static let noTime = "its time is missing or cannot be read"
    static let isTooEarly = "its time is before October 2002, when the first listens were recorded"
    static let isInFuture = "its time is more than a day ahead"
    static let unknownSong = "the service does not name the song"
}
