/// A release of an artist. Every artist has all of them, with the same recordings of ``RecordingSlot`` on each.
enum Edition: Int, Sendable, CaseIterable, Codable {
    /// The first album.
    case album
    /// The first album with four more recordings.
    case deluxe
    /// The second album.
    case second
    /// A single with the first song and three versions of it.
    case single
    /// An album recorded on stage.
    case live
    /// Four songs of the second album, remastered.
    case remastered
    /// A compilation.
    case best

    /// The slots of the edition's recordings, in the order of its tracks.
    var slots: [Int] { Self.tracks[rawValue] }

    private static let tracks: [[Int]] = [
        Array(0...11), Array(0...11) + Array(22...25), Array(12...21), [0, 26, 27, 28], Array(30...35) + [29],
        Array(36...39), [0, 3, 12, 15],
    ]

    /// The releases that contain a slot's recording; never empty.
    static func holding(slot: Int) -> [Edition] { holders[slot] }

    private static let holders: [[Edition]] = (0..<RecordingSlot.count).map { slot in
        allCases.filter { $0.slots.contains(slot) }
    }
}
