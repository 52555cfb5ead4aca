import Storage
import TestProcesses
import Testing

/// A sync of both services in which songs, playlists and albums are added, stay and are removed. However it is
/// disturbed, it leaves the same rows.
struct DisturbedSync: Sendable {
    /// What the libraries have when they are read.
    struct Size: Sendable {
        /// The number of songs at each service, at least 300.
        var tracks: Int
        var playlists: Int
        var albums: Int
    }

    /// All rows afterwards, without Backline's ids and times (``LibraryRows``).
    var rows: [String]
    /// The requests for pages.
    var pages: Int

    /// Reads other libraries than those that the person had before.
    ///
    /// - Parameter disturb: gets the id of the sync, and acts while the answers to its requests for pages are held back
    ///   (``LibraryInstallation/holdPages()``). Afterwards they are sent.
    static func run(
        _ size: Size, environment: [String: String] = [:],
        disturb: ((LibraryInstallation, _ sync: String) async throws -> Void)? = nil
    ) async throws -> DisturbedSync {
        var result = DisturbedSync(rows: [], pages: 0)
        try await LibraryInstallation.run(environment: environment) { library in
            let (spotify, apple) = (library.upstreams.spotify, library.upstreams.appleMusic)
            // Spotify has more songs than later: if the total has not increased, the next sync reads all pages.
            try await library.fill(spotify, tracks: size.tracks + 50, first: size.tracks / 2, playlists: 3, albums: 10)
            try await library.fill(apple, tracks: 300, playlists: 3, albums: 10)
            let ada = try await library.base.addUser()
            try await library.connectAppleMusic(ada)
            try await ada.syncsEnded()
            try await library.connectSpotify(ada)
            try await ada.syncsEnded()

            try await library.fill(spotify, tracks: size.tracks, playlists: size.playlists, albums: size.albums)
            try await library.fill(
                apple, tracks: size.tracks, first: 300, playlists: size.playlists, albums: size.albums)
            let before = try await library.pages()
            if disturb != nil { try await library.holdPages() }
            let sync = try await ada.askForSync(#"{"force":true}"#)
            if let disturb {
                try await disturb(library, sync.id)
                try await library.letPagesPass()
            }
            let end = try await ada.syncsEnded()
            #expect(end.id == sync.id && end.state == "complete" && end.sources.count == 2, "\(end)")
            result.pages = try await library.pages() - before
            result.rows = try await library.base.withDatabase { database in
                try await database.read { try LibraryRows($0).lines() }
            }
        }
        return result
    }

    /// Expects the same rows as those of another sync.
    func expectRows(of other: DisturbedSync, sourceLocation: SourceLocation = #_sourceLocation) {
        let differences = LibraryRows.differences(other.rows, rows)
        let some = differences.prefix(20).map { String($0.prefix(400)) }
        #expect(differences.isEmpty, "\(differences.count): \(some)", sourceLocation: sourceLocation)
    }
}
