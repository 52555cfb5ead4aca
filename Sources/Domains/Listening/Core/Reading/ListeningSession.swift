import Model

/// Songs of a person's library that were heard one after another.
package struct ListeningSession: Sendable, Hashable {
    /// The longest time between the starts of two consecutive listens of a session, in microseconds: half an hour.
    static let longestPause: Int64 = 1_800_000_000

    package var began: Timestamp
    /// The keys of the tracks, without repetitions, in the order in which they were first heard.
    package var tracks: [Int64]

    /// Splits listens into sessions where nothing was heard for a while.
    ///
    /// - Parameters:
    ///   - listens: the listens, the earliest first; `track` is `nil` for a song that the library does not have.
    /// - Returns: the sessions, the earliest first, without those that have no song of the library.
    static func sessions(of listens: [(startedAt: Timestamp, track: Int64?)]) -> [ListeningSession] {
        var sessions: [ListeningSession] = []
        var known: Set<Int64> = []
        var last: Timestamp?
        for listen in listens {
            if last.map({ listen.startedAt.microseconds - $0.microseconds > longestPause }) ?? true {
                sessions.append(ListeningSession(began: listen.startedAt, tracks: []))
                known = []
            }
            last = listen.startedAt
            if let track = listen.track, known.insert(track).inserted {
                sessions[sessions.count - 1].tracks.append(track)
            }
        }
        return sessions.filter { !$0.tracks.isEmpty }
    }
}
