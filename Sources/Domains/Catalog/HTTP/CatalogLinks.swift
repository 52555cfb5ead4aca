import Catalog
import Concerts
import Gateway
import Library
import Model
import Storage

/// The service's items that a person has in their library and in their ranked list.
struct CatalogLinks: Sendable {
    private var tracks: [String: LibraryID] = [:]
    private var albums: [String: LibraryID] = [:]
    private var rankedIDs: Set<String> = []
    private var rankedNames: Set<FoldedName> = []

    /// - Parameter source: the service whose items the answers have.
    init(to answers: [CatalogAnswer], of source: MusicSource, userID: String, in reader: some SQLReader) throws {
        var (trackIDs, albumIDs, namesArtists) = ([String](), [String](), false)
        for answer in answers {
            switch answer {
            case .tracks(let page): trackIDs += page.items.map(\.sourceID)
            case .albums(let page): albumIDs += page.items.map(\.sourceID)
            case .artists: namesArtists = true
            case .playlists, .missing: break
            case .item(let item):
                trackIDs += (item.tracks?.items ?? []).map(\.sourceID)
                albumIDs += (item.albums?.items ?? []).map(\.sourceID)
                switch item.subject {
                case .track(let track): trackIDs.append(track.sourceID)
                case .album(let album): albumIDs.append(album.sourceID)
                case .artist: namesArtists = true
                case .playlist, nil: break
                }
            }
        }
        switch source {
        case .spotify:
            tracks = try reader.tracks.savedTracks(ofSourceTracks: trackIDs, source: source, userID: userID)
            albums = try reader.albums.savedAlbums(albumIDs, source: source, userID: userID)
        case .appleMusic:
            // A library has its own ids. Its songs also name those of the catalog; its albums do not.
            guard let storefront = try reader.library.storefront(of: source, userID: userID) else { break }
            tracks = try reader.tracks.savedTracks(ofCatalogIDs: trackIDs, storefront: storefront, userID: userID)
        case .file: break
        }
        guard namesArtists else { return }
        for artist in try reader.concerts.rankedArtists(userID: userID) {
            if let id = artist.spotify?.id { rankedIDs.insert(id) }
            rankedNames.insert(FoldedName(artist.name))
        }
    }

    func libraryID(of track: CatalogTrack) -> String? { tracks[track.sourceID]?.text }

    func libraryID(of album: CatalogAlbum) -> String? { albums[album.sourceID]?.text }

    /// Whether the list has the artist, or another one with the same name, in which case it cannot be added.
    func isRanked(_ artist: CatalogArtist) -> Bool {
        rankedIDs.contains(artist.sourceID) || rankedNames.contains(FoldedName(artist.name))
    }
}
