import Model

/// A service whose library a sync reads, for one person. The closures make the calls; each throws `ProviderFailure`.
///
/// Offsets count entries from 0, as the pages of the service do (`SourcePage.nextOffset`).
package struct LibrarySource: Sendable {
    package var source: MusicSource
    /// The entries that a page has room for. A page may hold less in the middle of a list; the last one reaches the
    /// list's total with this.
    package var pageSize: Int
    /// The account whose library it is: an id that never changes. Apple Music names no account: there it is a mark that
    /// changes with each new user token.
    package var account: @Sendable () async throws -> String
    /// Another id of that account, under which earlier syncs may know it; `nil` where there is none.
    package var formerAccount: (@Sendable () async throws -> String?)?
    /// Asks for the country whose catalog the person uses, and has the other closures use it from then on; `nil` where
    /// lists do not depend on it.
    package var storefront: (@Sendable () async throws -> String)?
    package var tracks: @Sendable (_ offset: Int) async throws -> SourcePage<SourceTrack>
    /// Completes tracks by further requests before they are written; `nil` where the list has everything.
    package var complete: (@Sendable ([SourceTrack]) async throws -> [SourceTrack])?
    package var playlists: @Sendable (_ offset: Int) async throws -> SourcePage<SourcePlaylist>
    package var entries: @Sendable (_ playlistID: String, _ offset: Int) async throws -> EntriesAnswer
    package var albums: @Sendable (_ offset: Int) async throws -> SourcePage<SourceAlbum>

    package init(
        _ source: MusicSource, pageSize: Int, account: @escaping @Sendable () async throws -> String,
        formerAccount: (@Sendable () async throws -> String?)? = nil,
        storefront: (@Sendable () async throws -> String)? = nil,
        tracks: @escaping @Sendable (_ offset: Int) async throws -> SourcePage<SourceTrack>,
        complete: (@Sendable ([SourceTrack]) async throws -> [SourceTrack])? = nil,
        playlists: @escaping @Sendable (_ offset: Int) async throws -> SourcePage<SourcePlaylist>,
        entries: @escaping @Sendable (_ playlistID: String, _ offset: Int) async throws -> EntriesAnswer,
        albums: @escaping @Sendable (_ offset: Int) async throws -> SourcePage<SourceAlbum>
    ) {
        self.source = source
        self.pageSize = pageSize
        self.account = account
        self.formerAccount = formerAccount
        self.storefront = storefront
        self.tracks = tracks
        self.complete = complete
        self.playlists = playlists
        self.entries = entries
        self.albums = albums
    }
}

/// The answer to a request for entries of a playlist.
package enum EntriesAnswer: Sendable {
    case page(SourcePage<SourcePlaylistEntry>)
    /// The playlist has no entries, which Apple Music says with 404.
    case empty
    /// The service keeps the entries to the playlist's owner (Spotify in development mode, 403), or has the playlist no
    /// more.
    case forbidden
}

extension MusicSource {
    /// Whether lists of saved items begin with the newest: then an item that is new is found on the first pages.
    var listsNewestFirst: Bool { self == .spotify }

    /// Whether the source names the account itself. Otherwise a new credential leaves open whose library it reads.
    var namesAccount: Bool { self == .spotify }

    /// How long after a whole reading the next one is due, though nothing seems to have changed. What comes and goes
    /// behind the first page leaves the total and that page as they were: any two songs of Apple Music's lists by name;
    /// at Spotify a song that leaves while an app saves another one with an older date.
    var wholeInterval: Duration {
        switch self {
        case .appleMusic, .spotify, .file: .seconds(7 * 86_400)
        }
    }
}
