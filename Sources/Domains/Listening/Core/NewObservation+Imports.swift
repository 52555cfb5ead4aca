import DomainEvents

extension NewObservation {
    /// A play that an imported file lists.
    init(_ listen: ImportedListen, from source: ListenSource) {
        let song = SongDescription(
            title: listen.title, artist: listen.artist, album: listen.album,
            durationMilliseconds: listen.durationMilliseconds, isrc: listen.isrc, recordingMBID: listen.recordingMBID,
            spotifyID: listen.spotifyID)
        self.init(
            source: source, song: song, time: listen.time, stamp: listen.isEnd ? .end : .start,
            precision: Precision(listen.precision), playedMilliseconds: listen.playedMilliseconds,
            client: listen.client, details: listen.details)
        isExported = listen.isExported
    }
}

extension ListenSource {
    /// The sources of listens from files, by the format of the file. Those from all other formats are ``otherFile``.
    private static let ofFormats: [String: ListenSource] = [
        "spotifyHistory": .spotifyHistory,
        "spotifyAccountData": .spotifyAccountData,
        "lastfm": .lastfm,
        "appleMusicActivity": .appleMusicActivity,
        "listenBrainz": .listenBrainzFile,
        "listens": .listenBrainzFile,
    ]

    init(ofFormat format: String) {
        self = Self.ofFormats[format] ?? .otherFile
    }
}

extension NewObservation.Precision {
    fileprivate init(_ precision: ImportedListen.Precision) {
        self =
            switch precision {
            case .millisecond: .millisecond
            case .second: .second
            case .minute: .minute
            }
    }
}
