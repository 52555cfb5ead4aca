import Model

/// A service whose library a sync reads, for one user. The closures make the calls; each throws `ProviderFailure`.
///
/// Offsets count entries from 0, as in the service's pages (`SourcePage.nextOffset`).
package struct LibrarySource: Sendable {
    package var source: MusicSource
    /// The maximum number of entries per page. A page in the middle of a list may contain fewer; the last page reaches
    /// the list's total when this number is added to its offset.
    package var pageSize: Int
    /// The account that the library belongs to: an id that never changes. Apple Music does not identify the account, so
    /// the id is a marker that changes with each new user token.
    package var account: @Sendable () async throws -> String
    /// Another id of the account, under which earlier syncs may know it; `nil` if there is none.
    package var formerAccount: (@Sendable () async throws -> String?)?
    /// Requests the country whose catalog the user uses, and makes the other closures use it from then on; `nil` if
    /// lists do not depend on it.
    package var storefront: (@Sendable () async throws -> String)?
    package var tracks: @Sendable (_ offset: Int) async throws -> SourcePage<SourceTrack>
    /// Completes tracks with further requests before they are written; `nil` if the list already contains everything.
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

/// The answer to a request for a playlist's entries.
package enum EntriesAnswer: Sendable {
    case page(SourcePage<SourcePlaylistEntry>)
    /// The playlist has no entries, which Apple Music reports with status 404.
    case empty
    /// The service only shows the entries to the playlist's owner (Spotify in development mode, 403), or no longer has
    /// the playlist.
    case forbidden
}

extension MusicSource {
    /// Whether the source identifies the account. Otherwise, a new credential leaves open whose library it reads.
    package var namesAccount: Bool { self == .spotify }

    /// How long after a whole reading the next one is due although nothing seems to have changed. Changes beyond the
    /// first page may leave both the total and the first page as they were: Apple Music lists songs by name, so any
    /// song may replace another one; at Spotify, a song may be removed while an app saves another one with an older
    /// date.
    package var wholeInterval: Duration {
        switch self {
        case .appleMusic, .spotify, .file: .seconds(7 * 86_400)
        }
    }

    /// Whether new content only appears some time after the write that created it was confirmed.
    package var showsLate: Bool { self == .appleMusic }
}
