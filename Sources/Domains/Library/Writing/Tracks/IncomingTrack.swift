import Identity
import Model

/// A track as a source describes it, prepared for writing, so that the transaction, which blocks other writers, has
/// less to compute.
package struct IncomingTrack: Sendable {
    /// The track with its values normalized as the database stores them.
    package let track: SourceTrack
    let names: FoldedNames
    /// The values that the identity rules compare.
    let profile: IdentityProfile
    private let source: MusicSource

    package init(_ track: SourceTrack, of source: MusicSource) {
        self.init(track, of: source, FoldedNames(track))
    }

    private init(_ track: SourceTrack, of source: MusicSource, _ names: FoldedNames) {
        self.track = track.normalized
        self.names = names
        self.source = source
        profile = IdentityProfile(IdentityRecord(self.track, of: source))
    }

    /// The same track with new values. The folded names are reused when they did not change.
    package func updated(to track: SourceTrack) -> IncomingTrack {
        let hasNames =
            (track.title, track.artist, track.album) == (self.track.title, self.track.artist, self.track.album)
        return hasNames ? IncomingTrack(track, of: source, names) : IncomingTrack(track, of: source)
    }
}
