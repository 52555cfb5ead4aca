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

extension ListenSource {
    /// The number that the database has. It stays the same for ever.
    package var number: Int {
        switch self {
        case .listenBrainz: 1
        case .spotifyRecent: 2
        case .spotifyHistory: 3
        case .spotifyAccountData: 4
        case .listenBrainzFile: 5
        case .lastfm: 6
        case .appleMusicActivity: 7
        case .otherFile: 8
        }
    }

    /// Its bit in the sources of a listen.
    var bit: Int { 1 << number }

    init?(number: Int) {
        guard let source = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = source
    }

    /// Which of several sources of one listen is shown: the lowest.
    var rank: Int {
        switch self {
        case .listenBrainz: 0
        case .spotifyHistory: 1
        case .appleMusicActivity: 2
        case .spotifyRecent: 3
        case .listenBrainzFile: 4
        case .otherFile: 5
        case .spotifyAccountData: 6
        case .lastfm: 7
        }
    }

    /// Whether one song may have been played several times at one time as the source tells it, so that the time played
    /// is needed to know a repeat: a song that was begun again within the same minute.
    var repeatsHaveSameLength: Bool { self == .spotifyHistory || self == .spotifyAccountData }
}
