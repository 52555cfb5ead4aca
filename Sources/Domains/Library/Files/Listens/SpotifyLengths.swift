import Model

/// The lengths of songs, which Spotify's history does not say. They are derived from the plays that it marks as played
/// to the end (`trackdone`).
///
/// Such a play may have skipped or repeated a part of its song. A song's length is the one that more than half of its
/// plays to the end agree on; one below 30 s needs at least two plays. Otherwise the length is not known.
///
/// Holds at most 250,000 songs, which take 40 MiB. The lengths of further songs are not known.
struct SpotifyLengths {
    static let mostSongs = 250_000

    /// The lengths of a song's plays to the end, and how many plays had each.
    ///
    /// There is room for four lengths. A fifth one replaces one that only a single play had, or else counts only
    /// towards the total: so a count is never too high.
    private struct Votes {
        /// How far lengths may differ and still count as equal, in milliseconds.
        private static let tolerance = 2_000
        /// A length below this is not trusted if only a single play has it, in milliseconds.
        private static let leastOfOnePlay = 30_000

        /// In milliseconds.
        private var lengths = SIMD4<Int32>(repeating: 0)
        /// 0 for a free slot.
        private var counts = SIMD4<UInt16>(repeating: 0)
        /// The number of plays. Those after the 65,535th do not count.
        private var total: UInt16 = 0

        /// - Parameter length: in milliseconds, at least 1.
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
            // The slots take turns, so that other lengths do not always push out the same one.
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

    /// Reads a history to its end, or to where it breaks off.
    ///
    /// - Throws: only ``LibraryFileError/cancelled``: whatever is wrong with the rows is reported when they are read as
    ///   listens.
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

    /// The length of the song with a Spotify id, in milliseconds; `nil` if it is not known.
    func milliseconds(of song: String) -> Int? {
        votes[song]?.agreed.map { Int($0) }
    }
}
