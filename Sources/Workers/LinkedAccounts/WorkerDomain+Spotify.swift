extension WorkerDomain {
    /// Connects people's Spotify accounts.
    package static let spotifyConnections = WorkerDomain { process in
        let calls = SpotifyCalls(try process.providers.spotify(), process: process)
        let library = process.libraryHooks
        return [
            .spotifyAuthorize(calls, library: library), .spotifyReplaceAccount(calls, library: library),
            .spotifyProfile(calls),
        ]
    }
}
