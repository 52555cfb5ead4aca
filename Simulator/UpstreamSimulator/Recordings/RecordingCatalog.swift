/// The recordings that the simulated music services list.
///
/// Nothing is stored: a recording's number and the seed determine everything about it, and ids are decoded
/// arithmetically. So a catalog of any size takes no time to make and no memory.
package struct RecordingCatalog: Sendable {
    /// Entries, storefronts and kinds must fit an Apple id of ten digits.
    static let largestCount = 2_000_000
    package static let usualCount = 100_000

    let seed: UInt64
    /// The number of recordings, a multiple of ``RecordingSlot/count``.
    let count: Int

    let spotifyIDs: Permutation
    let isrcs: Permutation

    /// - Parameter count: 1 to ``largestCount``; rounded up to whole artists.
    init(seed: UInt64 = 1, count: Int = usualCount) {
        self.seed = seed
        self.count = (count + RecordingSlot.count - 1) / RecordingSlot.count * RecordingSlot.count
        spotifyIDs = Permutation(halfBits: 32, key: Mix.of(seed, 0x5901))
        isrcs = Permutation(halfBits: 12, key: Mix.of(seed, 0x1562))
    }

    var artists: Int { count / RecordingSlot.count }

    func contains(_ entry: Entry) -> Bool { entry.recording < count }

    /// The purpose of a draw. Each has numbers of its own, so that adding a purpose changes none of the others.
    enum Purpose: UInt64 {
        case script, artistName, artistSpelling, genre, country, year, albumTitle, title, titleSpelling, guest
        case guestSpelling, versionText, versionSpelling, duration, appleDuration, explicit, isrcFault, isrcForm
        case date, precision, picture, edition, appleEdition, storefront, popularity, relation, missing, library
        case place, market, registration, note, length
    }

    /// A number that the seed determines.
    func draw(_ subject: Int, _ purpose: Purpose) -> UInt64 {
        Mix.of(seed &+ purpose.rawValue &* 0x1000_0000_0000_003d, UInt64(subject))
    }

    /// True for about `percent` of a hundred subjects.
    func chance(_ percent: UInt64, _ subject: Int, _ purpose: Purpose) -> Bool {
        draw(subject, purpose) % 100 < percent
    }

    // MARK: People

    func script(ofArtist artist: Int) -> Script {
        switch ArtistKind(artist: artist) {
        case .ordinary: break
        case .karaoke: return .latin
        case .tribute: return script(ofArtist: ArtistKind.owner(ofSong: 0, artist: artist))
        }
        return switch draw(artist, .script) % 100 {
        case 0..<4: .cyrillic
        case 4..<6: .greek
        case 6..<10: .japanese
        case 10..<13: .korean
        case 13..<16: .arabic
        case 16..<18: .hebrew
        default: .latin
        }
    }

    /// The artist who sings along on an entry; `nil` for most. Those who record others' songs have no guests.
    func guest(of entry: Entry) -> Int? {
        ArtistKind(artist: entry.artist) == .ordinary ? guest(ofSong: entry.song) : nil
    }

    /// The artist who sings along on a song; `nil` for most.
    func guest(ofSong song: Int) -> Int? {
        let draw = draw(song, .guest)
        guard draw % 100 < 12, artists > 1 else { return nil }
        let artist = song / RecordingSlot.count
        var other = Int((draw >> 8) % UInt64(artists))
        while other == artist || ArtistKind(artist: other) != .ordinary { other = (other + artists - 1) % artists }
        return other
    }

    func genre(ofArtist artist: Int) -> String {
        Vocabulary.genres[Int(draw(artist, .genre) % UInt64(Vocabulary.genres.count))]
    }

    // MARK: Recordings

    func isExplicit(_ entry: Entry) -> Bool {
        switch entry.version {
        case .radioEdit, .clean, .instrumental, .karaoke, .cover: false
        default: isExplicit(song: entry.song)
        }
    }

    /// A song that has a clean recording is explicit.
    func isExplicit(song: Int) -> Bool {
        let artist = song / RecordingSlot.count
        let hasClean = RecordingSlot.version(of: 26, artist: artist) == .clean && song % RecordingSlot.count == 0
        return hasClean || chance(9, song, .explicit)
    }

    /// The duration in milliseconds. For the same recording the services differ by up to two seconds. For one in a
    /// hundred, Apple's is three to eight percent longer, because of silence.
    func duration(of entry: Entry, on service: MusicService) -> Int {
        let length = length(of: entry)
        guard service == .apple else { return length }
        let difference = draw(entry.recording, .appleDuration)
        switch difference % 100 {
        case 0..<40: return length + Int((difference >> 8) % 4_001) - 2_000
        case 99: return length + length * Int(30 + (difference >> 8) % 51) / 1_000
        default: return length
        }
    }

    private func length(of entry: Entry) -> Int {
        let song = 130_000 + Int(draw(entry.song, .duration) % 220_000)
        let own = Int(draw(entry.recording, .duration) % 1_500)
        // A part of the song's length, in percent.
        func part(_ range: ClosedRange<UInt64>) -> Int {
            let percent = range.lowerBound + draw(entry.recording, .length) % UInt64(range.count)
            return song * Int(percent) / 100 + own
        }
        return switch entry.version {
        case .original: song
        case .acoustic: part(88...108)
        // Encores are longer than the recordings of the concert on the album.
        case .live: entry.slot < 30 ? part(114...128) : part(102...112)
        case .remix: part(110...150)
        case .extended: part(130...170)
        case .spedUp: part(78...84)
        case .demo: part(84...104)
        case .radioEdit: part(70...88)
        case .clean: song + own / 5
        case .instrumental: song + own / 4
        case .remaster, .karaoke: song + own
        case .cover: part(90...112)
        }
    }

    /// The popularity, from 0 to 100.
    func popularity(of entry: Entry) -> Int {
        let song = Int(draw(entry.song, .popularity) % 81)
        return switch entry.version {
        case .original: song + 10
        case .karaoke, .cover: song / 4
        default: song / 2
        }
    }

    /// The release under which a service's libraries usually have a recording. The services often differ.
    func usualEntry(of recording: Int, on service: MusicService) -> Entry {
        let editions = Edition.holding(slot: recording % RecordingSlot.count)
        guard editions.count > 1 else { return Entry(recording: recording, edition: editions[0]) }
        let spotify = Int(draw(recording, .edition) % UInt64(editions.count))
        let differs = service == .apple && chance(30, recording, .appleEdition)
        return Entry(recording: recording, edition: editions[(spotify + (differs ? 1 : 0)) % editions.count])
    }

    /// Another release that has the same recording; `nil` if there is none.
    func otherEntry(than entry: Entry) -> Entry? {
        let editions = Edition.holding(slot: entry.slot)
        guard editions.count > 1, let own = editions.firstIndex(of: entry.edition) else { return nil }
        return Entry(recording: entry.recording, edition: editions[(own + 1) % editions.count])
    }

    /// Whether a country's shop of Apple Music has a recording.
    func isAvailable(_ recording: Int, in storefront: String) -> Bool {
        Mix.of(draw(recording, .storefront), Mix.of(storefront)) % 50 != 0
    }

    /// Whether Spotify may play a recording in a country, such as `CZ`.
    func isPlayable(_ recording: Int, in country: String) -> Bool {
        Mix.of(draw(recording, .market), Mix.of(country)) % 60 != 0
    }

    /// The releases of others with a song on which an artist is the guest, each once, in order.
    func guestReleases(ofArtist artist: Int) -> [Release] {
        var found: [Release] = []
        for host in 0..<artists where ArtistKind(artist: host) == .ordinary {
            let editions = (0..<RecordingSlot.songs)
                .filter { guest(ofSong: host * RecordingSlot.count + $0) == artist }
                .flatMap { RecordingSlot.recordings(ofSong: $0) }
                .flatMap { Edition.holding(slot: $0) }
            found += Edition.allCases.filter { editions.contains($0) }.map { Release(artist: host, edition: $0) }
        }
        return found
    }

    // MARK: Dates

    /// When a release came out, and how precisely that is known.
    struct ReleaseDate: Sendable, Equatable {
        enum Precision: String, Sendable { case year, month, day }

        var year: Int
        var month: Int
        var day: Int
        var precision: Precision

        /// `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
        var text: String {
            func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
            return switch precision {
            case .year: "\(year)"
            case .month: "\(year)-\(two(month))"
            case .day: "\(year)-\(two(month))-\(two(day))"
            }
        }
    }

    func date(of release: Release) -> ReleaseDate {
        let first = firstYear(ofArtist: release.artist)
        let year =
            switch release.edition {
            case .album, .single: first
            case .deluxe: first + 1
            case .second: first + 3
            case .live: first + 4
            case .best: first + 8
            case .remastered: remasterYear(ofArtist: release.artist)
            }
        let draw = draw(Int(release.number), .date)
        let precision: ReleaseDate.Precision =
            switch self.draw(Int(release.number), .precision) % 100 {
            case 0..<10: .year
            case 10..<15: .month
            default: .day
            }
        return ReleaseDate(
            year: year, month: 1 + Int(draw % 12), day: 1 + Int((draw >> 8) % 28), precision: precision)
    }

    private func firstYear(ofArtist artist: Int) -> Int {
        let draw = draw(artist, .year)
        // Covers of others' songs are recorded after the originals.
        return ArtistKind(artist: artist) == .ordinary ? 1962 + Int(draw % 52) : 2014 + Int(draw % 4)
    }

    /// The year of a remaster; at most 2025, so that no release is in the future.
    func remasterYear(ofArtist artist: Int) -> Int {
        min(2025, max(2009, firstYear(ofArtist: artist) + 11))
    }
}
