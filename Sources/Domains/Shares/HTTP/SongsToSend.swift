import Gateway
import Model
import Shares
import Storage

/// Songs that people send each other: what a request may name, what is shown of it, and how. They are the same as those
/// that people share with everybody.
package struct SongsToSend: Sendable {
    private let songs: ShareSongs
    private let writer: ShareWriter

    /// - Parameters:
    ///   - previewHosts: the hosts from which pages may play audio.
    ///   - catalogTrack: finds a track of a service's catalog.
    ///   - sentSong: finds the song of a message.
    package init(
        _ services: GatewayServices, previewHosts: MediaHosts, catalogTrack: @escaping CatalogTrackLookup,
        sentSong: @escaping SentSongLookup
    ) {
        songs = ShareSongs(database: services.database, catalogTrack: catalogTrack, sentSong: sentSong)
        writer = ShareWriter(pictures: services.pictures, previewHosts: previewHosts)
    }

    /// The song that a request names.
    ///
    /// - Throws: a ``Problem`` with the path of the wrong field.
    package func choice(_ field: RequestField) throws -> ShareChoice { try ShareChoice(field) }

    /// What is shown of a song. It may ask a service in the person's name.
    ///
    /// - Throws: a ``Problem`` that names the field of a song that is not there.
    package func song(_ choice: ShareChoice, of userID: String) async throws -> ShareSong {
        try await songs.song(choice, of: userID)
    }

    /// The song of a choice in the transaction that sends it.
    ///
    /// - Parameter found: from ``song(_:of:)``.
    /// - Throws: a ``Problem`` for a song that the person does not see any longer.
    package func song(
        _ choice: ShareChoice, found: ShareSong, of userID: String, in transaction: WriteTransaction
    ) throws -> ShareSong {
        try songs.song(choice, found: found, of: userID, in: transaction)
    }

    /// Writes the members of a song.
    package func write(_ song: ShareSong, to json: inout JSONWriter) { writer.write(song, to: &json) }
}
