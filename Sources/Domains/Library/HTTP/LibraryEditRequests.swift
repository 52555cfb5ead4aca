import Gateway
import Library
import LibraryEdits
import Model

/// The bodies of requests for edits. Each initializer throws ``Problem`` with the path of the wrong field.
extension EditChange {
    /// The most songs, or entries, of one edit.
    private static let mostTracks = 1_000

    /// The body of `POST /v1/library/playlists`.
    init(creating body: RequestField) throws {
        let fields = try body.object(["name", "source", "trackIds", "description", "public"])
        guard let name = fields["name"] else { throw body.refuse("the field name is missing.") }
        guard let source = fields["source"] else { throw body.refuse("the field source is missing.") }
        self = .createPlaylist(
            name: try name.playlistName(), description: try fields["description"]?.playlistDescription(),
            isPublic: try fields["public"]?.bool() ?? false,
            tracks: try fields["trackIds"].map { try Self.references(in: $0) } ?? [], try source.musicSource())
    }

    /// The body of `PATCH /v1/library/playlists/{id}`.
    init(renaming playlist: LibraryID, _ body: RequestField) throws {
        let fields = try body.object(["name", "description"])
        let name = try fields["name"]?.playlistName()
        let description = try fields["description"]?.playlistDescription()
        guard name != nil || description != nil else {
            throw body.refuse("send what is to change: name, description, or both.")
        }
        self = .rename(name: name, description: description, playlist: playlist)
    }

    /// The body of `POST /v1/library/playlists/{id}/tracks`.
    init(addingTo playlist: LibraryID, _ body: RequestField) throws {
        guard let field = try body.object(["trackIds"])["trackIds"] else {
            throw body.refuse("the field trackIds is missing: the songs to add, as an array.")
        }
        let references = try Self.references(in: field)
        guard !references.isEmpty else { throw field.refuse("name at least one song.") }
        self = .addTracks(references, playlist: playlist)
    }

    /// The body of `DELETE /v1/library/playlists/{id}/tracks`.
    init(removingFrom playlist: LibraryID, _ body: RequestField) throws {
        let fields = try body.object(["version", "positions"])
        guard let version = fields["version"] else {
            throw body.refuse("the field version is missing: the playlist's version that the positions refer to.")
        }
        guard let field = fields["positions"] else {
            throw body.refuse("the field positions is missing: the entries to remove, as an array.")
        }
        let positions = try field.array(limit: Self.mostTracks, of: "positions").map {
            try $0.integer(in: 0...1_000_000)
        }
        guard !positions.isEmpty else { throw field.refuse("name at least one position.") }
        self = .removeEntries(positions: positions, version: try version.string(limit: 100), playlist: playlist)
    }

    private static func references(in field: RequestField) throws -> [SongReference] {
        try field.array(limit: mostTracks, of: "songs").map {
            try $0.value(SongReference.expectation, SongReference.init)
        }
    }
}

extension RequestField {
    /// The service of a change of a song, which is the body's only field.
    func editedSource() throws -> MusicSource {
        guard let field = try object(["source"])["source"] else {
            throw refuse("the field source is missing: the service to change, such as spotify.")
        }
        return try field.musicSource()
    }

    /// The description of a playlist. Spotify does not accept line breaks.
    fileprivate func playlistDescription() throws -> String {
        let text = try string(limit: 300)
        guard !text.contains(where: \.isNewline) else { throw refuse("a description must be a single line.") }
        return text
    }

    /// The rows that a decision's only field names.
    ///
    /// - Parameters:
    ///   - least: the fewest ids, each counted once.
    ///   - what: the kind of thing that an id stands for.
    /// - Throws: ``Problem``. Text that is not one of our ids is as unknown as an id that nobody has.
    func libraryIDs(_ name: String, least: Int, of what: String) throws -> [LibraryID] {
        guard let field = try object([name])[name] else {
            throw refuse("the field \(name) is missing: the ids of \(what)s, as an array.")
        }
        let texts = try field.array(limit: 100, of: "ids").map { try $0.string(limit: 100) }
        guard Set(texts).count >= least else {
            throw field.refuse(
                least == 1 ? "expected at least one id of a \(what)." : "expected ids of at least \(least) \(what)s.")
        }
        return try texts.map { text in
            guard let id = LibraryID(text) else { throw Problem.notFound(what) }
            return id
        }
    }
}
