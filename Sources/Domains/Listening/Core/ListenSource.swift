/// A kind of source of listens. The raw values are part of the API.
package enum ListenSource: String, Sendable, Hashable, CaseIterable {
    /// A program that reported the play while it happened, through the ListenBrainz API.
    case listenBrainz
    /// Spotify's list of recently played songs.
    case spotifyRecent
    /// Spotify's extended streaming history.
    case spotifyHistory
    /// Spotify's account data for the last year.
    case spotifyAccountData
    /// A file in the form of ListenBrainz, including those that Backline exported.
    case listenBrainzFile
    case lastfm
    /// The play activity of Apple's privacy export.
    case appleMusicActivity
    /// A file of another program that records listens, such as Maloja or Pano Scrobbler.
    case otherFile
}

extension ListenSource {
    /// The number that the database stores. It must never change.
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

    /// The source's bit in the sources of a listen.
    var bit: Int { 1 << number }

    init?(number: Int) {
        guard let source = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = source
    }

    /// Determines which of a listen's sources is shown: the one with the lowest rank.
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

    /// Whether the source may report several plays of one song with the same time, so that the time played is needed to
    /// recognize a repeat: a song may be started again within the same minute.
    var repeatsHaveSameLength: Bool { self == .spotifyHistory || self == .spotifyAccountData }
}
