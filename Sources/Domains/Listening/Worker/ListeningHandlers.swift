import Contracts
import Foundation
import Jobs
import Listening
import Model
import Spotify
import Storage
import Upstream
import Workers

extension JobHandler {
    /// `listening.readSpotify`: asks, records, sets the time of the next run. A failure that neither waiting nor
    /// another attempt resolves is the job's result, since the next job of the schedule reads the same plays.
    ///
    /// - Parameters:
    ///   - interval: the schedule's interval while the person listens; `nil` when plays are no longer read.
    ///   - quota: a person who has used it up gets no further plays.
    static func listeningReadSpotify(
        _ spotify: SpotifyProvider, every interval: Duration?, quota: ListenQuota
    ) -> JobHandler {
        .calling(.listeningReadSpotify) { _, context in
            let (job, scopes) = (context.job, TypedJobKind.listeningReadSpotify.kind.scopes(at: .spotify))
            let recent: SpotifyPlays
            do {
                recent = SpotifyPlays(
                    try await spotify.call(userID: job.userID, scopes: scopes, urgency: .background) {
                        try await $0.recentlyPlayed()
                    })
            } catch let failure as ProviderFailure
                where !JobFailure(failure).remedy.mayHelp(isLastAttempt: job.attempt >= job.maximumAttempts)
            {
                return JobResult(ReadSpotifyPlaysResult(plays: 0, failure: failure.kind.rawValue))
            }
            return JobResult(ReadSpotifyPlaysResult(plays: recent.plays.count)) { transaction, _ in
                let now = Timestamp.now()
                if try quota.hasRoom(transaction.listening.use(ofUser: job.userID)) {
                    _ = try transaction.listening.record(recent, userID: job.userID, now: now)
                }
                if let interval {
                    try transaction.listening.reschedule(
                        every: recent.nextInterval(interval, at: now), userID: job.userID, now: now)
                }
            }
        }
    }
}

extension JobFailure.Remedy {
    fileprivate func mayHelp(isLastAttempt: Bool) -> Bool {
        switch self {
        case .none: false
        case .retry: !isLastAttempt
        case .postpone, .awaitCredential, .awaitScopes: true
        }
    }
}

extension SpotifyPlays {
    fileprivate init(_ recent: RecentPlays) {
        self.init(
            recent.plays.compactMap { play in
                SongDescription(play.track).map { Play(song: $0, endedAt: play.endedAt) }
            }, isFull: recent.count >= SpotifyClient.mostRecentPlays)
    }
}

extension SongDescription {
    /// `nil` for a track without a title or an artist.
    fileprivate init?(_ track: SourceTrack) {
        let blanks = CharacterSet.whitespacesAndNewlines
        let (title, artist) = (track.title.trimmingCharacters(in: blanks), track.artist.trimmingCharacters(in: blanks))
        let album = track.album.trimmingCharacters(in: blanks)
        guard !title.isEmpty, !artist.isEmpty else { return nil }
        self.init(
            title: title, artist: artist, album: album.isEmpty ? nil : album,
            durationMilliseconds: track.durationMs, isrc: track.isrc, spotifyID: track.sourceID)
    }
}

extension WorkerDomain {
    /// Reads what people play.
    package static let listening = WorkerDomain { process in
        [
            .listeningReadSpotify(
                try process.providers.spotify(), every: process.configuration[ListeningSettings.self].spotifyInterval,
                quota: ListenQuota(process.configuration.quotas))
        ]
    }
}
