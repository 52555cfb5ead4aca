import CatalogHTTP
import CurationHTTP
import Domains
import Gateway
import LibraryEdits
import LibraryHTTP
import MessagesHTTP
import PeopleHTTP
import Settings
import SharesHTTP
import Vault

/// What the domains' parts of the gateway are made from, and what one of them does for another.
struct GatewayParts: Sendable {
    let services: GatewayServices
    let settings: DomainSettings
    /// Asks the catalogs of services.
    let catalog: CatalogService
    /// Changes libraries.
    let edits: LibraryEditService
    /// Seal and open private texts.
    let textKeys: CurrentTextKeys

    init(services: GatewayServices, settings: DomainSettings) {
        self.services = services
        self.settings = settings
        let catalog = CatalogService(queue: services.queue, spotifyClientID: settings.spotify?.clientID)
        self.catalog = catalog
        edits = LibraryEditService(queue: services.queue) { source, scopes, userID, transaction in
            try catalog.requireConnection(to: source, scopes: scopes, userID: userID, in: transaction)
        }
        textKeys = CurrentTextKeys(settings.sections[TextKeySettings.self], tables: [Domain].all.sealedTexts)
    }

    /// A domain's section of the configuration.
    subscript<Section: SettingsSection>(type: Section.Type) -> Section { settings.sections[type] }

    /// Begins the edit that creates a playlist from a list of songs.
    var beginEdit: BeginEdit {
        { [edits] playlist, userID, idempotencyKey in
            let change = EditChange.createPlaylist(
                name: playlist.name, description: playlist.description, isPublic: playlist.isPublic,
                tracks: playlist.songs, playlist.service)
            let edit = try await edits.begin(change, userID: userID, idempotencyKey: idempotencyKey)
            return BegunEdit(path: edit.path) { edit.writeMembers(to: &$0) }
        }
    }

    /// Searches a person's library beside a catalog.
    var searchLibrary: LibrarySearch {
        { [services] text, types, userID in
            let hits = try await LibraryHits(text, types: types, userID: userID, in: services.database)
            return { hits.writeMembers(to: &$0, pictures: services.pictures) }
        }
    }

    /// Writes reports of people and of messages.
    var reports: ReportWriter { ReportWriter(textKeys: textKeys, pictures: services.pictures) }

    /// Finds the song of a message, which can be sent on and shared.
    var sentSong: SentSongLookup {
        let songs = SentSongs(textKeys: textKeys)
        return { try songs.song(ofMessage: $0, seenBy: $1, in: $2) }
    }

    /// Finds and writes the songs that people send each other.
    var messageSongs: MessageSongs {
        let catalog = catalog
        let songs = SongsToSend(
            services, previewHosts: settings.previewHosts,
            catalogTrack: { try await catalog.track($0, of: $1, userID: $2) }, sentSong: sentSong)
        return MessageSongs(
            choose: { try songs.choice($0) }, find: { try await songs.song($0, of: $1) },
            confirm: { try songs.song($0, found: $1, of: $2, in: $3) },
            write: { songs.write($0, to: &$1) })
    }
}
