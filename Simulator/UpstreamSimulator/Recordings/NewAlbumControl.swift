import Hummingbird

/// The control routes of albums that come out, below `/_sim/recordings`.
///
/// | route | body or parameters | answer |
/// |---|---|---|
/// | `GET recordings/albums` | | the albums that came out on command (``Album``) |
/// | `POST recordings/albums` | ``Command`` | the albums that it added: the release, then its editions |
/// | `DELETE recordings/albums` | `number` for one of them | the rest |
/// | `GET recordings/day` | | `{"day"}` |
/// | `POST recordings/day` | `{"day": "2026-12-05"}`; without a day the present one | the same. On each day up to a
/// later one some artists release albums |
struct NewAlbumControl: Sendable {
    struct Command: Sendable, Codable {
        /// The artist's number: that of a recording divided by 40.
        var artist: Int
        var title: String
        var kind: NewAlbum.Kind?
        /// `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; the day of the simulator if it is missing.
        var date: String?
        var tracks: Int?
        /// What further editions have in brackets, such as `Deluxe Edition`; an empty text repeats the title, as for
        /// an explicit and a clean form.
        var editions: [String]?
        /// Both if it is missing.
        var services: [MusicService]?
    }

    struct Album: Sendable, Codable {
        var number: Int
        var title: String
        var date: String
        /// The artist's name and ids at Spotify and in a storefront of Apple Music, and those of the album.
        var artist: String
        var appleArtist: String
        var spotifyArtistID: String
        var spotifyID: String
        var appleID: String
    }

    struct Day: Sendable, Codable {
        var day: String?
    }

    let recordings: Recordings

    func add(to control: RouterGroup<SimulatorContext>) {
        let recordings = recordings
        control.get("albums") { request, _ in try Self.answer(recordings, request) }
        control.post("albums") { request, context in
            let command = try await ControlJSON.decode(Command.self, request, context)
            return try ControlJSON.encode(
                Self.described(try Self.release(command, in: recordings), recordings, storefront: "us"))
        }
        control.delete("albums") { request, _ in
            let target = RequestTarget(request.uri.string)
            guard let text = target["number"] else {
                recordings.changeAlbums { $0.removeAll() }
                return try Self.answer(recordings, request)
            }
            guard let number = Int(text), recordings.changeAlbums({ $0.remove(number) }) else {
                throw HTTPError(.badRequest, message: "No album has the number '\(text)'.")
            }
            return try Self.answer(recordings, request)
        }
        control.get("day") { _, _ in try ControlJSON.encode(Day(day: "\(recordings.albums.today)")) }
        control.post("day") { request, context in
            let change = try await ControlJSON.decode(Day.self, request, context)
            let day = change.day.flatMap { LocalDay($0) }
            guard change.day == nil || day != nil else {
                throw HTTPError(.badRequest, message: "day has the form YYYY-MM-DD.")
            }
            recordings.move(to: day)
            return try ControlJSON.encode(Day(day: "\(recordings.albums.today)"))
        }
    }

    private static func release(_ command: Command, in recordings: Recordings) throws -> [NewAlbum] {
        let (catalog, today) = (recordings.catalog, recordings.albums.today)
        guard (0..<catalog.artists).contains(command.artist), !command.title.isEmpty else {
            throw HTTPError(.badRequest, message: "artist is a number below \(catalog.artists), and title a text.")
        }
        guard let date = RecordingCatalog.ReleaseDate(command.date ?? "\(today)") else {
            throw HTTPError(.badRequest, message: "date has the form YYYY, YYYY-MM or YYYY-MM-DD.")
        }
        let kind = command.kind ?? .album
        let tracks = command.tracks ?? (kind == .single ? 1 : kind == .ep ? 5 : 10)
        guard (1...NewAlbum.mostTracks).contains(tracks) else {
            throw HTTPError(.badRequest, message: "tracks is 1 to \(NewAlbum.mostTracks).")
        }
        let editions = (command.editions ?? []).map { $0.isEmpty ? command.title : "\(command.title) (\($0))" }
        let titles = [command.title] + editions
        return try titles.map { title in
            let added = recordings.changeAlbums { albums in
                albums.add { number in
                    NewAlbum(
                        number: number, artist: command.artist, title: title, kind: kind, date: date, tracks: tracks,
                        services: Set(command.services ?? [.spotify, .apple]))
                }
            }
            guard let added else { throw HTTPError(.badRequest, message: "There are too many new albums.") }
            return added
        }
    }

    private static func answer(_ recordings: Recordings, _ request: Request) throws -> Response {
        let storefront = RequestTarget(request.uri.string)["storefront"] ?? "us"
        return try ControlJSON.encode(described(recordings.albums.all, recordings, storefront: storefront))
    }

    private static func described(_ albums: [NewAlbum], _ recordings: Recordings, storefront: String) -> [Album] {
        let catalog = recordings.catalog
        return albums.map { album in
            Album(
                number: album.number, title: album.title, date: album.date.text,
                artist: catalog.name(ofArtist: album.artist, on: .spotify),
                appleArtist: catalog.name(ofArtist: album.artist, on: .apple),
                spotifyArtistID: catalog.spotifyID(.artist, UInt64(album.artist)),
                spotifyID: catalog.spotifyID(of: album), appleID: catalog.appleID(of: album, storefront: storefront))
        }
    }
}
