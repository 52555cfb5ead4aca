import Connections
import Workers

extension WorkerDomain {
    /// Connects people's Spotify accounts.
    package static let spotifyConnections = WorkerDomain { process in
        let spotify = try process.providers.spotify()
        let calls = SpotifyCalls(spotify, process: process)
        return [.spotifyAuthorize(calls), .spotifyReplaceAccount(calls), .spotifyProfile(spotify)]
    }
}
