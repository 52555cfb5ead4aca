import Model

/// The lengths of songs, which Spotify's history does not say, from the plays that it says went to the end
/// (`trackdone`).
///
/// Such a play may have skipped a part of its song, or repeated one. A song's length is the one that more than half of
/// its plays to the end agree on, and one below 30 s needs two of them; else it is not known.
///
/// It holds 250,000 songs at most, which are 40 MiB. The lengths of others are not known.
struct SpotifyLengths {
    static let mostSongs = 250_000

    /// The lengths of a song's plays to the end, and how many plays had each.
    ///
    /// It has four lengths. A fifth one takes the place of one that a single play had, or counts in the total alone: so
    /// a count is never too high.
    private struct Votes {
        /// How far equal lengths are apart, in milliseconds.
        private static let tolerance = 2_000
        /// A length below this is not believed of a single play, in milliseconds.
        private static let leastOfOnePlay = 30_000

        /// In milliseconds.
        private var lengths = SIMD4<Int32>(repeating: 0)
        /// 0 for a length that is not taken.
        private var counts = SIMD4<UInt16>(repeating: 0)
        /// Of plays. Those after the 65,535th do not count.
        private var total: UInt16 = 0

        /// - Parameter length: from 1.
        mutating func add(_ length: Int32) {
            guard total < .max else { return }
            total += 1
            let places = lengths.indices
            let known = places.first {
                counts[$0] > 0 && (lengths[$0] - length).magnitude <= Self.tolerance
            }
            if let known {
                // A count is at most the total.
                counts[known] += 1
                return
            }
            // Each place in turn, so that not all others push out the same length.
            let place = places.first { counts[$0] == 0 } ?? Int(total) % lengths.scalarCount
            if counts[place] <= 1 { (lengths[place], counts[place]) = (length, 1) }
        }

        var agreed: Int32? {
            lengths.indices.first {
                2 * Int(counts[$0]) > Int(total) && (lengths[$0] >= Self.leastOfOnePlay || counts[$0] > 1)
            }.map { lengths[$0] }
        }
    }

    private var votes: [String: Votes] = [:]

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
        guard let length = Int32(playedMs, in: 1...Int32.max) else { return }
        guard votes[song] != nil || votes.count < Self.mostSongs else { return }
        votes[song, default: Votes()].add(length)
    }

    /// The length of a song by its id at Spotify, in milliseconds; `nil` where it is not known.
    func milliseconds(of song: String) -> Int? {
        votes[song]?.agreed.map { Int($0) }
    }
}
