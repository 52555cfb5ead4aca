extension WorkerDomain {
    /// Connecting people's accounts, at Spotify.
    package static let spotifyConnections = WorkerDomain { process in
        guard let spotify = try process.providers.spotify() else { return [] }
        let calls = SpotifyCalls(spotify, process: process)
        return [.spotifyAuthorize(calls), .spotifyProfile(calls)]
    }
}
