import Foundation

/// The albums that came out on command, and the day on which services are asked.
struct NewAlbums: Sendable {
    private(set) var all: [NewAlbum] = []
    /// `nil` for the present day.
    private(set) var day: LocalDay?

    /// Numbers are not given twice, so that no id has two meanings.
    private var next = 0
    static let most = 100_000

    var today: LocalDay { day ?? LocalDay(Date()) }

    /// Those of an artist that a service lists on its day, in the order in which they were added.
    func listed(by service: MusicService, artist: Int) -> [NewAlbum] {
        all.filter { $0.artist == artist && $0.isListed(by: service, on: today) }
    }

    /// The one with an id that a service lists.
    func listed(by service: MusicService, where isNamed: (NewAlbum) -> Bool) -> NewAlbum? {
        all.first { $0.isListed(by: service, on: today) && isNamed($0) }
    }

    /// - Returns: `nil` if there are too many.
    mutating func add(_ make: (_ number: Int) -> NewAlbum) -> NewAlbum? {
        guard next < Self.most else { return nil }
        let album = make(next)
        next += 1
        all.append(album)
        return album
    }

    /// Sets the day. On each day up to a later one, as the seed determines, some artists release an album or a single,
    /// some with a deluxe edition.
    ///
    /// - Parameter day: `nil` for the present day.
    mutating func move(to day: LocalDay?, in catalog: RecordingCatalog) {
        let former = today
        self.day = day
        guard former < today else { return }
        let first = max(former.daysSince1970 + 1, today.daysSince1970 - Self.longestMove + 1)
        for number in first...today.daysSince1970 { releaseAll(on: LocalDay(daysSince1970: number), in: catalog) }
    }

    /// The most days, in numbers of days, on which artists release something at once.
    private static let longestMove: Int32 = 366

    private mutating func releaseAll(on day: LocalDay, in catalog: RecordingCatalog) {
        guard let date = RecordingCatalog.ReleaseDate("\(day)") else { return }
        for index in 0...catalog.artists / 500 {
            let draw = Mix.of(catalog.seed, Mix.of(UInt64(day.daysSince1970), UInt64(index)))
            let artist = Int(draw % UInt64(catalog.artists))
            let kind: NewAlbum.Kind = draw >> 32 & 3 == 0 ? .single : .album
            let song = artist * RecordingSlot.count + Int(draw >> 40) % RecordingSlot.songs
            let title = catalog.title(ofSong: song, on: .spotify)
            let hasDeluxe = kind == .album && draw >> 34 & 1 == 0
            for title in [title] + (hasDeluxe ? ["\(title) (Deluxe Edition)"] : []) {
                _ = add { number in
                    NewAlbum(
                        number: number, artist: artist, title: title, kind: kind, date: date,
                        tracks: kind == .single ? 1 : 10, services: [.spotify, .apple])
                }
            }
        }
    }

    /// - Returns: whether there was one with the number.
    mutating func remove(_ number: Int) -> Bool {
        let count = all.count
        all.removeAll { $0.number == number }
        return all.count < count
    }

    mutating func removeAll() { all = [] }
}
