extension WorkerDomain {
    /// Connects people's Spotify accounts.
    package static let spotifyConnections = WorkerDomain { process in
        guard let spotify = try process.providers.spotify() else { return [] }
        let calls = SpotifyCalls(spotify, process: process)
        return [.spotifyAuthorize(calls), .spotifyReplaceAccount(calls), .spotifyProfile(calls)]
    }
}
