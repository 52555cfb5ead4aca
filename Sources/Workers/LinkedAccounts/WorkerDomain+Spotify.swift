extension WorkerDomain {
    /// Connects people's Spotify accounts.
    package static let spotifyConnections = WorkerDomain { process in
        guard let spotify = try process.providers.spotify() else { return [] }
        let calls = SpotifyCalls(spotify, process: process)
        let library = process.libraryHooks
        return [
            .spotifyAuthorize(calls, library: library), .spotifyReplaceAccount(calls, library: library),
            .spotifyProfile(calls),
        ]
    }
}
