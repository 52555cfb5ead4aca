import Curation
import Gateway
import Library
import Model

extension CurationRequest {
    private static let usualSize = 25
    private static let mostExclusions = 200
    private static let mostSeeds = 50
    private static let longestName = 200

    /// The body of `POST /v1/ai/playlists`.
    ///
    /// - Throws: a ``Problem`` that names the wrong field.
    init(playlist body: RequestField) throws {
        let fields = try body.object(["prompt", "size", "source", "minutes", "exclude", "seed"])
        guard let prompt = fields["prompt"] else {
            throw body.refuse("the field prompt is missing: what the playlist should be like.")
        }
        self.init(kind: .playlist, prompt: try prompt.prompt(), size: 0, source: .library)
        try read(fields, standardSource: .mixed)
        minutes = try fields["minutes"]?.integer(in: 5...600)
        if minutes != nil, fields["size"] == nil { size = Self.sizes.upperBound }
        guard let exclude = fields["exclude"] else { return }
        let exclusions = try exclude.object(["tracks", "artists", "heardWithinDays"])
        excludedTracks =
            try exclusions["tracks"]?.array(limit: Self.mostExclusions, of: "tracks").map {
                try $0.value(SongReference.expectation, SongReference.init).text
            } ?? []
        excludedArtists =
            try exclusions["artists"]?.array(limit: Self.mostExclusions, of: "artists").map {
                try $0.string(limit: Self.longestName)
            } ?? []
        heardWithinDays = try exclusions["heardWithinDays"]?.integer(in: 1...3_650)
    }

    /// The body of `POST /v1/ai/recommendations`.
    ///
    /// - Throws: a ``Problem`` that names the wrong field.
    init(recommendations body: RequestField) throws {
        let fields = try body.object(["basedOn", "size", "source", "seed"])
        self.init(kind: .recommendations, size: 0, source: .library)
        try read(fields, standardSource: .mixed)
        basedOn = try fields["basedOn"]?.array(limit: Self.mostSeeds, of: "tracks").map { try $0.trackID() } ?? []
    }

    /// The body of `POST /v1/ai/growth`.
    ///
    /// - Throws: a ``Problem`` that names the wrong field. A malformed id is answered like an unknown one.
    init(playlistSuggestions body: RequestField) throws {
        let fields = try body.object(["playlistId", "size", "source", "seed"])
        guard let id = fields["playlistId"] else {
            throw body.refuse("the field playlistId is missing: the playlist to suggest songs for.")
        }
        self.init(kind: .playlistSuggestions, size: 0, source: .library)
        try read(fields, standardSource: .mixed)
        guard let playlist = LibraryID(try id.string(limit: 100)) else { throw Problem(CurationRefusal.noPlaylist) }
        self.playlist = playlist
    }

    /// The body of `POST /v1/ai/blends`.
    ///
    /// - Throws: a ``Problem`` that names the wrong field.
    init(blend body: RequestField) throws {
        let fields = try body.object(["with", "size", "seed"])
        guard let with = fields["with"] else {
            throw body.refuse("the field with is missing: the username of the other person.")
        }
        self.init(kind: .blend, size: 0, source: .mixed)
        try read(fields, standardSource: .mixed)
        let name = try with.string(limit: Self.longestName)
        guard !name.allSatisfy(\.isWhitespace) else {
            throw with.refuse("the name is blank; give the username of the other person.")
        }
        self.with = name
    }

    /// The body of `POST /v1/ai/playlists/{id}/refinements`. Everything that it does not name stays as it was.
    ///
    /// - Throws: a ``Problem`` that names the wrong field.
    init(refinement body: RequestField, of known: CuratedListResource) throws {
        guard known.list.state == .complete else { throw Problem(CurationRefusal.notComplete) }
        let fields = try body.object(["prompt", "pinned"])
        guard let prompt = fields["prompt"] else {
            throw body.refuse("the field prompt is missing: what should be different.")
        }
        let former = known.list.request
        self = former
        self.prompt = try prompt.prompt()
        refine(known.list.id, wish: former.wish)
        let tracks = known.tracks ?? []
        pinned = try (fields["pinned"]?.array(limit: Self.sizes.upperBound, of: "songs") ?? []).map { field in
            let id = try field.value(SongReference.expectation, SongReference.init).text
            guard var track = tracks.first(where: { $0.reference == id }) else {
                throw Problem(CurationRefusal.notInList(id))
            }
            track.isPinned = true
            return track
        }
    }

    private mutating func read(_ fields: RequestField.Members, standardSource: Source) throws {
        size = try fields["size"]?.integer(in: Self.sizes) ?? Self.usualSize
        seed = try fields["seed"]?.integer(in: 0...Int(Int32.max)) ?? Int.random(in: 0...Int(Int32.max))
        guard let field = fields["source"] else {
            source = standardSource
            return
        }
        let text = try field.string(limit: 100)
        guard let source = Source(rawValue: text) else {
            throw field.refuse(
                "expected one of \(Source.allCases.map(\.rawValue).joined(separator: ", ")), found "
                    + "'\(text.prefix(40))'.")
        }
        self.source = source
    }
}

extension CurationRequest.Kind {
    /// The segment for this kind in the paths of its lists.
    var path: String {
        switch self {
        case .playlist: "playlists"
        case .recommendations: "recommendations"
        case .playlistSuggestions: "growth"
        case .blend: "blends"
        }
    }
}

extension RequestField {
    fileprivate func prompt() throws -> String {
        let text = try string(limit: CurationRequest.longestPrompt)
        guard !PromptText.cleaned(text, limit: CurationRequest.longestPrompt).isEmpty else {
            throw refuse("write what the playlist should be like, such as “rainy Sunday, nothing I heard this month”.")
        }
        return text
    }

    fileprivate func trackID() throws -> LibraryID {
        guard let id = LibraryID(try string(limit: 100)) else {
            throw refuse("expected the id of a song in your library.")
        }
        return id
    }
}
