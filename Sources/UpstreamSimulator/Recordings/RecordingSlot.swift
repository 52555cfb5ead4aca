/// The place of a recording among the forty of its artist, which determines its song and its version.
enum RecordingSlot {
    /// The recordings of an artist.
    static let count = 40
    /// The songs of an artist. The slots below are their first recordings.
    static let songs = 22

    /// The slot of the song's first recording.
    static func song(of slot: Int) -> Int { slot < songs ? slot : versions[slot - songs].song }

    static func version(of slot: Int) -> Version { slot < songs ? .original : versions[slot - songs].version }

    /// All recordings of a song.
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

    private static let bySong: [[Int]] = (0..<songs).map { song in
        (0..<count).filter { RecordingSlot.song(of: $0) == song }
    }
}
