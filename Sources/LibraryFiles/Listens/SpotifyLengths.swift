import Model

/// The lengths of songs, which Spotify's history does not say, from the plays that it says went to the end
/// (`trackdone`).
///
/// Such a play may have skipped a part of its song, or repeated one. A song's length is the one that most of its plays
/// to the end agree on (Boyer and Moore's majority vote); where they do not agree, it is not known.
///
/// It holds 250,000 songs at most, which are 30 MiB. The lengths of others are not known.
struct SpotifyLengths {
    static let mostSongs = 250_000
    /// How far equal lengths are apart, in milliseconds.
    private static let tolerance = 2_000

    private struct Vote {
        /// Of the recording, in milliseconds.
        var length: Int32
        /// By how many plays it leads.
        var lead: Int32
    }

    private var votes: [String: Vote] = [:]

    /// Reads a history to its end, or until where it breaks off.
    ///
    /// - Throws: ``LibraryFileError/cancelled`` and nothing else: whoever reads the rows says what is wrong with them.
    mutating func read(_ open: () throws(LibraryFileError) -> TextBytes) throws(LibraryFileError) {
        do throws(LibraryFileError) {
            let rows = try JSONRows(try open(), limit: JSONListenReader.largestRow)
            while let row = try rows.next() {
                guard case .value(let value) = row, let play = SpotifyHistoryRow(value)?.wholePlay else { continue }
                add(play.song, playedMs: play.milliseconds)
            }
        } catch {
            if error == .cancelled { throw error }
        }
    }

    /// Counts a play to the end.
    private mutating func add(_ song: String, playedMs: Int) {
        guard let length = Int32(exactly: playedMs) else { return }
        guard let vote = votes[song] else {
            if votes.count < Self.mostSongs { votes[song] = Vote(length: length, lead: 1) }
            return
        }
        if vote.lead == 0 {
            votes[song] = Vote(length: length, lead: 1)
        } else {
            // Both are at most a week, and the lead is at most the number of rows.
            let isEqual = (vote.length - length).magnitude <= Self.tolerance
            votes[song]?.lead = isEqual ? min(vote.lead, .max - 1) + 1 : vote.lead - 1
        }
    }

    /// The length of a song by its id at Spotify, in milliseconds; `nil` where it is not known.
    func milliseconds(of song: String) -> Int? {
        votes[song].flatMap { $0.lead > 0 ? Int($0.length) : nil }
    }
}
