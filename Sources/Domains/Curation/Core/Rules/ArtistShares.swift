/// Counts the songs of each main artist in a list. No artist has more than half of a list, whatever its final length:
/// in a list of five songs, at most two.
struct ArtistShares: Sendable {
    /// How many songs the list may have.
    private let size: Int
    private var songs = 0
    private var counts: [String: Int] = [:]

    init(size: Int) { self.size = size }

    /// Whether the list may have one more song by these artists.
    func hasRoom(for artists: [String]) -> Bool {
        !artists.contains { counts[$0, default: 0] >= Self.most(of: size) }
    }

    /// Whether the list, at its current length, has too many songs by any of these artists.
    func haveTooMuch(_ artists: [String]) -> Bool {
        artists.contains { counts[$0, default: 0] > Self.most(of: songs) }
    }

    mutating func add(_ artists: [String]) {
        songs += 1
        for artist in artists { counts[artist, default: 0] += 1 }
    }

    mutating func remove(_ artists: [String]) {
        songs -= 1
        for artist in artists { counts[artist, default: 1] -= 1 }
    }

    private static func most(of songs: Int) -> Int { max(1, songs / 2) }
}
