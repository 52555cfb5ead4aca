/// The forms of JSON that are known, recognized by the members of their rows (``JSONOutline``).
enum JSONForm: CaseIterable {
    case spotifyHistory, spotifyAccountData, listenBrainz, koito, maloja, lastfmStats, lastfm
    case spotifyLibrary, spotifyPlaylists, jspf, backline
    /// The other files of a ListenBrainz export: the user, their feedback and pinned recordings.
    case listenBrainzOther

    /// Paths of rows, and sets of members: the marks match if the rows at one of the paths have all members of one set.
    private struct Marks {
        var places: [String]
        var members: [[String]]

        init(_ places: [String], _ members: [String]...) { (self.places, self.members) = (places, members) }

        func areIn(_ outline: JSONOutline) -> Bool {
            places.contains { place in members.contains { outline.has($0, at: place) } }
        }
    }

    private static let rows = ["", "[]"]

    /// The file has the first form whose marks match. The marks come from Spotify's exports as users have shared them;
    /// `listenbrainz-server` (docs/users/json.rst); `krateng/maloja` (export.py); `gabehf/Koito`
    /// (internal/export/export.go); `felhag/lastfm-stats-web`; last.fm/api/show/user.getRecentTracks; xspf.org/jspf.
    private var marks: [Marks] {
        switch self {
        case .spotifyHistory: [Marks(Self.rows, ["ts", "ms_played"])]
        case .spotifyAccountData: [Marks(Self.rows, ["endTime", "msPlayed"])]
        case .listenBrainz:
            [
                Marks(
                    Self.rows + [
                        "payload", "payload[]", "payload.listens", "payload.listens[]", "[].payload", "[].payload[]",
                        "[].payload.listens", "[].payload.listens[]",
                    ],
                    ["track_metadata"])
            ]
        case .koito: [Marks(["listens", "listens[]"], ["listened_at", "track.aliases"])]
        case .maloja:
            [
                Marks(
                    ["scrobbles", "scrobbles[]", "list", "list[]"], ["time", "track.title"], ["time", "track.artists"])
            ]
        case .lastfmStats: [Marks(["scrobbles", "scrobbles[]"], ["track", "artist", "date"])]
        case .lastfm:
            [
                Marks(Self.rows, ["recenttracks"]),
                Marks(
                    Self.lastfmRows, ["name", "date.uts"], ["name", "artist.#text"], ["name", "artist.name", "@attr"]),
            ]
        case .spotifyLibrary:
            [
                Marks(["tracks[]"], ["track", "uri"], ["track", "artist", "album"]),
                Marks([""], ["tracks", "bannedTracks"], ["albums", "bannedArtists"]),
            ]
        case .spotifyPlaylists:
            [
                Marks(
                    ["playlists[].items[]"], ["track.trackName"], ["addedDate"], ["episode.episodeName"],
                    ["localTrack"], ["audiobook"]),
                Marks(["playlists[]"], ["lastModifiedDate"]),
                Marks(["playlists[].tracks[]"], ["trackName"]),
            ]
        case .jspf: [Marks(["playlist", "[].playlist", "playlists[].playlist"], ["track"], ["title"])]
        case .backline:
            [
                Marks([""], ["backline"]), Marks(["[]", "tracks[]"], ["title", "artist"]),
                Marks(["playlists[].entries[]"], ["track"]),
            ]
        case .listenBrainzOther:
            [
                Marks(
                    Self.rows, ["user_id", "username"], ["recording_msid"], ["recording_mbid", "score"],
                    ["recording_mbid", "blurb_content"])
            ]
        }
    }

    private static let lastfmRows = [
        "", "[]", "[][]", "track", "track[]", "[].track", "[].track[]", "recenttracks[]", "recenttracks.track",
        "recenttracks.track[]", "[].recenttracks.track", "[].recenttracks.track[]",
    ]

    /// Whether a member of a row says when its song was played. Backline's own members do not.
    private static func isMoment(_ member: String) -> Bool {
        let name = CSVFact.normalized(member)
        return CSVFact.listened.isNamed(by: member) || moments.contains(name)
    }

    /// Only names are known here, not values, so `played`, which may also be a count, is not among them.
    private static let moments: Set<String> = [
        "date", "time", "datetime", "timestamp", "when", "start", "started", "startedat", "starttime", "timestampms",
        "unixtime", "unix", "epoch", "watchedat", "datestr", "utc",
    ]

    /// - Returns: `nil` for JSON of an unknown form.
    init?(_ outline: JSONOutline) {
        guard let form = Self.allCases.first(where: { $0.marks.contains { $0.areIn(outline) } }) else { return nil }
        // Another program's rows that also say when a song was played are listens, not songs of a library.
        if form == .backline || form == .spotifyLibrary, !outline.has(["backline"], at: "") {
            let members = ["[]", "tracks[]"].flatMap { outline.members(at: $0) }
            if members.contains(where: Self.isMoment) { return nil }
            // Nor are rows that name their list songs of a library: the person did not necessarily save the songs of a
            // list.
            if members.contains(where: { CSVFact.playlist.isNamed(by: $0) }) { return nil }
        }
        if form == .backline, !outline.has(["backline"], at: ""), !Self.isPlain(outline) { return nil }
        self = form
    }

    /// Whether a file in Backline's form, which does not say that Backline wrote it, has nothing else. Other members say
    /// that its songs are something other than a library, such as a playlist or charts.
    private static func isPlain(_ outline: JSONOutline) -> Bool {
        Set(outline.members(at: "")).isSubset(of: plainMembers)
            && (!outline.has(["entries"], at: "playlists[]") || outline.has(["track"], at: "playlists[].entries[]"))
    }

    /// The lists, and members about the file itself.
    private static let plainMembers: Set<String> = [
        "tracks", "playlists", "app", "version", "format", "schema", "generator", "exportedAt", "exported_at",
    ]

    // MARK: Damaged files

    /// The members of a file's object in whose lists the rows of these forms are; without a member, the rows are a list
    /// or follow one another. Only these forms are read on past a damaged row (``JSONRows``).
    private static let formsOfRows: [(member: String?, forms: Set<JSONForm>)] = [
        (nil, [.spotifyHistory, .spotifyAccountData, .listenBrainz, .lastfm]), ("scrobbles", [.maloja, .lastfmStats]),
        ("list", [.maloja]), ("listens", [.koito]),
    ]

    /// Recognizes a file whose first rows are damaged by the rows after them, within its first 256 KiB.
    ///
    /// - Parameter source: opens the file from its beginning.
    /// - Returns: `nil` for a file without rows of a known form.
    static func pastDamage(_ source: FileForm.Source) throws(LibraryFileError) -> JSONForm? {
        for (member, forms) in formsOfRows {
            let bytes = try TextBytes(FirstBytes(try source(), JSONOutline.mostBytes))
            do throws(LibraryFileError) {
                let outline = try JSONOutline(rowsOf: bytes, in: member)
                if let form = JSONForm(outline), forms.contains(form) { return form }
            } catch {
                // The list that has the rows was not found.
                if error == .cancelled { throw error }
            }
        }
        return nil
    }
}

extension JSONOutline {
    /// What the file contains, for people: the names of its members.
    var summary: String {
        if names.isEmpty { return "It has no named members." }
        return "It has \(names.map { "“\($0)”" }.joined(separator: ", "))."
    }
}
