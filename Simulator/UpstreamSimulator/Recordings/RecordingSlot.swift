/// The position of a recording among the forty of its artist, which determines its song and its version.
enum RecordingSlot {
    /// The number of recordings of an artist.
    static let count = 40
    /// The number of songs of an artist. The slots below this number are their first recordings.
    static let songs = 22

    /// The slot of the artist's first recording of the song.
    static func first(of slot: Int) -> Int { slot < songs ? slot : versions[slot - songs].song }

    /// The number of the song: the number of its first recording by its original artist.
    static func song(of slot: Int, artist: Int) -> Int {
        let first = first(of: slot)
        return ArtistKind.owner(ofSong: first, artist: artist) * count + first
    }

    static func version(of slot: Int, artist: Int) -> Version {
        switch (ArtistKind(artist: artist), slot) {
        case (.karaoke, ..<songs): .karaoke
        case (.tribute, ..<songs): .cover
        case (_, ..<songs): .original
        // Singles are not alike.
        case (.ordinary, 26) where artist % 3 == 1: .clean
        case (.ordinary, 27) where artist % 5 == 2: .extended
        case (.ordinary, 27) where artist % 5 == 4: .spedUp
        default: versions[slot - songs].version
        }
    }

    /// The slots of all recordings of a song.
    static func recordings(ofSong song: Int) -> [Int] { bySong[song] }

    private static let versions: [(song: Int, version: Version)] = {
        var versions: [(song: Int, version: Version)] = [
            (0, .acoustic), (1, .live), (2, .remix), (3, .demo), (0, .radioEdit), (0, .remix), (0, .instrumental),
            (6, .live),
        ]
        for song in 0...5 { versions.append((song, .live)) }
        for song in 12...15 { versions.append((song, .remaster)) }
        return versions
    }()

    private static let bySong: [[Int]] = (0..<songs).map { song in (0..<count).filter { first(of: $0) == song } }
}
