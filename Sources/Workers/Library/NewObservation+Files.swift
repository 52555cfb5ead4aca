import LibraryFiles
import Listening
import Model

extension NewObservation {
    /// A play that a file lists.
    init(_ listen: FileListen, of kind: LibraryFileKind) {
        let song = SongDescription(
            title: listen.title, artist: listen.artist, album: listen.album, durationMilliseconds: listen.durationMs,
            isrc: listen.isrc, recordingMBID: listen.recordingMBID, spotifyID: listen.spotifyID)
        self.init(
            source: ListenSource(kind), song: song, time: listen.time, stamp: listen.isEnd ? .end : .start,
            precision: Precision(listen.precision), playedMilliseconds: listen.playedMs, client: listen.client,
            details: listen.details)
    }
}

extension ListenSource {
    fileprivate init(_ kind: LibraryFileKind) {
        self =
            switch kind {
            case .spotifyHistory: .spotifyHistory
            case .spotifyAccountData: .spotifyAccountData
            case .lastfm: .lastfm
            case .appleMusicActivity: .appleMusicActivity
            case .listenBrainz, .listens: .listenBrainzFile
            case .maloja, .koito, .listenTable, .appleMusicLibrary, .spotifyLibrary, .backline, .csv, .jspf, .xspf,
                .shazam,
                .zip:
                .otherFile
            }
    }
}

extension NewObservation.Precision {
    fileprivate init(_ precision: FileListen.Precision) {
        self =
            switch precision {
            case .millisecond: .millisecond
            case .second: .second
            case .minute: .minute
            }
    }
}
