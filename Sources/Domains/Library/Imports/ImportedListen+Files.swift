import DomainEvents
import LibraryFiles

extension ImportedListen {
    /// A play that a file lists.
    init(_ listen: FileListen) {
        self.init(title: listen.title, artist: listen.artist, album: listen.album, time: listen.time)
        (durationMilliseconds, playedMilliseconds) = (listen.durationMs, listen.playedMs)
        (isrc, recordingMBID, spotifyID) = (listen.isrc, listen.recordingMBID, listen.spotifyID)
        (isEnd, isExported) = (listen.isEnd, listen.isExported)
        precision =
            switch listen.precision {
            case .millisecond: .millisecond
            case .second: .second
            case .minute: .minute
            }
        (client, details) = (listen.client, listen.details)
    }
}
