/// Finds recordings by words of their titles and artists. It is built when the first search needs it.
struct RecordingSearch: Sendable {
    /// The words to find in each text; all of them must match.
    struct Query: Sendable, Equatable {
        /// Words in the title, artist or album.
        var words: [String] = []
        var track: [String] = []
        var artist: [String] = []
        var album: [String] = []
        var years: ClosedRange<Int>?

        var isEmpty: Bool { words.isEmpty && track.isEmpty && artist.isEmpty && album.isEmpty }
    }

    /// The most results of a search.
    static let most = 1_000

    private let catalog: RecordingCatalog
    private let service: MusicService
    /// Songs by the words of their titles, and artists by the words of their names.
    private let songs: [String: [Int32]]
    private let artists: [String: [Int32]]

    init(_ catalog: RecordingCatalog, on service: MusicService) {
        self.catalog = catalog
        self.service = service
        var songs: [String: [Int32]] = [:]
        var artists: [String: [Int32]] = [:]
        for artist in 0..<catalog.artists {
            for word in Set(SearchText.words(catalog.name(ofArtist: artist, on: service))) {
                artists[word, default: []].append(Int32(artist))
            }
            for slot in 0..<RecordingSlot.songs {
                let first = artist * RecordingSlot.count + slot
                let song = RecordingSlot.song(of: slot, artist: artist)
                for word in Set(SearchText.words(catalog.title(ofSong: song, on: service))) {
                    songs[word, default: []].append(Int32(first))
                }
            }
        }
        self.songs = songs
        self.artists = artists
    }

    /// The entries whose texts contain all words, the most popular first.
    func entries(_ query: Query) -> [Entry] {
        var found: [(entry: Entry, popularity: Int)] = []
        for song in candidates(query) {
            let artist = song / RecordingSlot.count
            for slot in RecordingSlot.recordings(ofSong: song % RecordingSlot.count) {
                let recording = artist * RecordingSlot.count + slot
                for edition in Edition.holding(slot: slot) {
                    let entry = Entry(recording: recording, edition: edition)
                    if matches(entry, query) { found.append((entry, catalog.popularity(of: entry))) }
                }
            }
        }
        found.sort { ($1.popularity, $0.entry.number) < ($0.popularity, $1.entry.number) }
        return found.prefix(Self.most).map(\.entry)
    }

    /// The artists whose names contain all words.
    func artists(named words: [String]) -> [Int] {
        guard let first = words.first else { return [] }
        var found = Set(artists[first] ?? [])
        for word in words.dropFirst() { found.formIntersection(artists[word] ?? []) }
        return found.sorted().prefix(Self.most).map { Int($0) }
    }

    /// The songs that contain the rarest word. A word of a version or an album is not indexed and excludes nothing
    /// here.
    private func candidates(_ query: Query) -> [Int] {
        var shortest: (words: [Int32], artists: [Int32], size: Int)?
        func consider(_ inTitles: [Int32], _ inNames: [Int32]) {
            let size = inTitles.count + inNames.count * RecordingSlot.songs
            guard size > 0, size < shortest?.size ?? .max else { return }
            shortest = (inTitles, inNames, size)
        }
        for word in query.words { consider(songs[word] ?? [], artists[word] ?? []) }
        for word in query.track { consider(songs[word] ?? [], []) }
        for word in query.artist { consider([], artists[word] ?? []) }
        for word in query.album { consider(songs[word] ?? [], artists[word] ?? []) }
        guard let shortest else { return [] }
        var found = Set(shortest.words.map { Int($0) })
        for artist in shortest.artists {
            let first = Int(artist) * RecordingSlot.count
            found.formUnion(first..<first + RecordingSlot.songs)
        }
        return found.sorted()
    }

    private func matches(_ entry: Entry, _ query: Query) -> Bool {
        let title = Set(SearchText.words(catalog.title(of: entry, on: service)))
        guard query.track.allSatisfy(title.contains) else { return false }
        var names: Set<String> = []
        for artist in catalog.artists(of: entry) {
            names.formUnion(SearchText.words(catalog.name(ofArtist: artist, on: service)))
        }
        guard query.artist.allSatisfy(names.contains) else { return false }
        let rest = query.words.filter { !title.contains($0) && !names.contains($0) }
        if !query.album.isEmpty || !rest.isEmpty {
            let album = Set(SearchText.words(catalog.title(of: entry.release, on: service)))
            guard query.album.allSatisfy(album.contains), rest.allSatisfy(album.contains) else { return false }
        }
        return query.years?.contains(catalog.date(of: entry.release).year) ?? true
    }
}
