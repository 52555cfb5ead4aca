import Identity
import Model

/// A track as a source describes it, prepared to be written: so that the transaction, for which others wait, computes
/// less.
struct IncomingTrack: Sendable {
    /// With values as the database has them.
    let track: SourceTrack
    let names: FoldedNames
    /// What the rules of identity compare.
    let profile: IdentityProfile
    private let source: MusicSource

    init(_ track: SourceTrack, of source: MusicSource) {
        self.init(track, of: source, FoldedNames(track))
    }

    private init(_ track: SourceTrack, of source: MusicSource, _ names: FoldedNames) {
        self.track = track.normalized
        self.names = names
        self.source = source
        profile = IdentityProfile(IdentityRecord(self.track, of: source))
    }

    /// The track with other values.
    func updated(to track: SourceTrack) -> IncomingTrack {
        let hasNames =
            (track.title, track.artist, track.album) == (self.track.title, self.track.artist, self.track.album)
        return hasNames ? IncomingTrack(track, of: source, names) : IncomingTrack(track, of: source)
    }
}
