/// An album that an artist of the catalog releases on command, beside ``Release``s. It has recordings that the artist
/// has made before.
struct NewAlbum: Sendable, Equatable {
    enum Kind: String, Sendable, Codable {
        case album, single, ep, compilation
    }

    /// The number among all new albums, from 0.
    let number: Int
    let artist: Int
    /// As Spotify lists it, with the edition.
    let title: String
    let kind: Kind
    let date: RecordingCatalog.ReleaseDate
    /// 1 to ``mostTracks``.
    let tracks: Int
    let services: Set<MusicService>

    static let mostTracks = Edition.deluxe.slots.count

    /// As Apple lists it: singles and EPs say so.
    var appleTitle: String {
        switch kind {
        case .single: title + " - Single"
        case .ep: title + " - EP"
        case .album, .compilation: title
        }
    }

    /// The type at Spotify, which calls EPs singles.
    var albumType: String {
        switch kind {
        case .album: "album"
        case .single, .ep: "single"
        case .compilation: "compilation"
        }
    }

    /// The tracks, which are those of the deluxe edition.
    var entries: [Entry] {
        Edition.deluxe.slots.prefix(tracks).map {
            Entry(recording: artist * RecordingSlot.count + $0, edition: .deluxe)
        }
    }

    /// Whether a service lists it on a day. Apple also lists what is announced, with the date to come.
    func isListed(by service: MusicService, on day: LocalDay) -> Bool {
        services.contains(service) && (service == .apple || date.firstDay <= day)
    }
}

extension RecordingCatalog {
    /// The numbers of releases, from which ids are made, end far below.
    private static let firstNewAlbum: UInt32 = 200_000_000

    func spotifyID(of album: NewAlbum) -> String {
        spotifyID(.album, UInt64(Self.firstNewAlbum) + UInt64(album.number))
    }

    func appleID(of album: NewAlbum, storefront: String) -> String {
        appleID(.album, Self.firstNewAlbum + UInt32(album.number), storefront: storefront)
    }

    /// Also determines the picture.
    func subject(of album: NewAlbum) -> Int { Int(Self.firstNewAlbum) + album.number }
}

extension RecordingCatalog.ReleaseDate {
    /// - Returns: `nil` for a text other than `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, and for a day that does not exist.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int($0) }
        guard (1...3).contains(parts.count), numbers.count == parts.count, parts[0].utf8.count == 4,
            parts.dropFirst().allSatisfy({ $0.utf8.count == 2 })
        else { return nil }
        let (month, day) = (numbers.count > 1 ? numbers[1] : 1, numbers.count > 2 ? numbers[2] : 1)
        self.init(year: numbers[0], month: month, day: day, precision: [.year, .month, .day][parts.count - 1])
        // A day that the month does not have may be read as one of the next month.
        guard let first = LocalDay(dayText), "\(first)" == dayText else { return nil }
    }

    /// The first day that the date may mean.
    var firstDay: LocalDay { LocalDay(dayText) ?? LocalDay(daysSince1970: 0) }

    private var dayText: String {
        var date = self
        if date.precision == .year { date.month = 1 }
        if date.precision != .day { date.day = 1 }
        date.precision = .day
        return date.text
    }
}
