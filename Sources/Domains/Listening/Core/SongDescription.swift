/// A song as a source of listens describes it.
package struct SongDescription: Sendable, Hashable {
    /// Trimmed, and not empty.
    package var title: String
    /// Trimmed, and not empty.
    package var artist: String
    package var album: String?
    /// The length of the whole recording.
    package var durationMilliseconds: Int?
    package var isrc: String?
    /// The recording's id at MusicBrainz, in lower case.
    package var recordingMBID: String?
    package var spotifyID: String?
    package var appleMusicID: String?

    package init(
        title: String, artist: String, album: String? = nil, durationMilliseconds: Int? = nil, isrc: String? = nil,
        recordingMBID: String? = nil, spotifyID: String? = nil, appleMusicID: String? = nil
    ) {
        (self.title, self.artist, self.album) = (title, artist, album)
        self.durationMilliseconds = durationMilliseconds
        (self.isrc, self.recordingMBID) = (isrc, recordingMBID)
        (self.spotifyID, self.appleMusicID) = (spotifyID, appleMusicID)
    }
}

extension SongDescription {
    /// A hash of all values, which is the same in every process.
    var key: Int64 {
        let parts = [
            title, artist, album ?? "", durationMilliseconds.map(String.init) ?? "", isrc ?? "", recordingMBID ?? "",
            spotifyID ?? "", appleMusicID ?? "",
        ]
        return StableKey.of(parts)
    }
}

/// Hashes that the database stores: FNV-1a with 64 bits.
enum StableKey {
    static func of(_ parts: [String]) -> Int64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for part in parts {
            for byte in part.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
            // A byte that no text contains.
            hash = (hash ^ 0xff) &* 0x0000_0100_0000_01b3
        }
        return Int64(bitPattern: hash)
    }
}
