/// A kind of source of listens. The raw values are in the API.
package enum ListenSource: String, Sendable, Hashable, CaseIterable {
    /// A program that told it while it was played, through the ListenBrainz API.
    case listenBrainz
    /// Spotify's list of recently played songs.
    case spotifyRecent
    /// Spotify's extended streaming history.
    case spotifyHistory
    /// Spotify's account data, of the last year.
    case spotifyAccountData
    /// A file in the form of ListenBrainz, also one that Backline exported.
    case listenBrainzFile
    case lastfm
    /// The play activity of Apple's privacy export.
    case appleMusicActivity
    /// A file of another program that keeps listens, such as Maloja or Pano Scrobbler.
    case otherFile
}
