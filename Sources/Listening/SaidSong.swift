/// A song as a source of listens names it.
package struct SaidSong: Sendable, Hashable {
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
