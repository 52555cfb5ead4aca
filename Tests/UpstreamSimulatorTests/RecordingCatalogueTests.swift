import Testing

@testable import UpstreamSimulator

@Suite("The recordings that a seed determines")
struct RecordingCatalogueTests {
    private let catalogue = RecordingCatalogue(seed: 7, count: 4_000)

    private var entries: [Entry] {
        (0..<catalogue.count).flatMap { recording in
            Edition.holding(slot: recording % RecordingSlot.count).map { Entry(recording: recording, edition: $0) }
        }
    }

    @Test("Equal seeds make equal recordings, other seeds others, and counts are whole artists")
    func determined() {
        let same = RecordingCatalogue(seed: 7, count: 3_999)
        let other = RecordingCatalogue(seed: 8, count: 4_000)
        #expect(same.count == 4_000)
        var differences = 0
        for recording in 0..<400 {
            let entry = catalogue.usualEntry(of: recording, on: .spotify)
            #expect(same.title(of: entry, on: .apple) == catalogue.title(of: entry, on: .apple))
            if other.title(of: entry, on: .apple) != catalogue.title(of: entry, on: .apple) { differences += 1 }
        }
        #expect(differences > 300)
    }

    @Test("Ids have their services' forms, are unique, and are read back; others are unknown")
    func ids() {
        var spotify: Set<String> = []
        var apple: Set<String> = []
        for entry in entries {
            let id = catalogue.spotifyID(.track, UInt64(entry.number))
            #expect(Base62.isID(id) && catalogue.entry(ofSpotifyID: id) == entry)
            #expect(catalogue.release(ofSpotifyID: id) == nil && catalogue.artist(ofSpotifyID: id) == nil)
            spotify.insert(id)
            let number = catalogue.appleID(.song, entry.number, storefront: "fr")
            #expect(number.count == 10 && catalogue.entry(ofAppleID: number, storefront: "fr") == entry)
            #expect(catalogue.appleID(.song, entry.number, storefront: "us") != number)
            apple.insert(number)
        }
        #expect(spotify.count == entries.count && apple.count == entries.count)
        #expect(catalogue.entry(ofSpotifyID: "37i9dQZF1DX0XUsuxWHRQd") == nil)
        #expect(catalogue.entry(ofAppleID: "12", storefront: "fr") == nil)
    }

    @Test("A shuffle has every number once")
    func shuffle() {
        for count in [1, 2, 7, 1_000] {
            let order = Shuffle(count: count, key: 3)
            #expect(Set((0..<count).map { order[$0] }) == Set(0..<count))
        }
    }

    @Test("Codes are found in any form; some are missing, shared, in lower case, hyphenated, or others at Apple")
    func codes() throws {
        var missing = 0
        var lower = 0
        var hyphens = 0
        var shared = 0
        var different = 0
        for recording in 0..<catalogue.count {
            guard let code = catalogue.isrc(of: recording, on: .spotify) else {
                missing += 1
                continue
            }
            #expect(code.count == 12 && code == code.uppercased())
            let shown = try #require(catalogue.spotifyISRC(of: recording))
            if shown == code.lowercased() { lower += 1 }
            if shown.contains("-") { hyphens += 1 }
            let carriers = catalogue.recordings(withISRC: shown, on: .spotify)
            #expect(carriers.contains(recording), "\(shown)")
            if carriers.count > 1 { shared += 1 }
            if let apple = catalogue.isrc(of: recording, on: .apple), apple != code {
                different += 1
                #expect(catalogue.recordings(withISRC: apple, on: .apple).contains(recording))
            }
        }
        for number in [missing, lower, hyphens, shared, different] {
            #expect(number > 5 && number < catalogue.count / 10, "\([missing, lower, hyphens, shared, different])")
        }
        #expect(catalogue.recordings(withISRC: "nonsense", on: .spotify) == [])
    }

    @Test("The services spell titles differently, and durations differ by two seconds at most")
    func spelling() {
        var different = 0
        for entry in entries {
            let spotify = catalogue.title(of: entry, on: .spotify)
            let apple = catalogue.title(of: entry, on: .apple)
            if spotify != apple { different += 1 }
            if entry.version != .original {
                #expect(spotify.contains(" - "), "\(spotify)")
                #expect(apple.hasSuffix(")") || apple.hasSuffix("]"), "\(apple)")
            }
            let difference =
                catalogue.duration(of: entry, on: .spotify) - catalogue.duration(of: entry, on: .apple)
            #expect(abs(difference) <= 2_000)
        }
        #expect(different > entries.count / 4 && different < entries.count * 4 / 5)
    }

    @Test("There are all versions, editions, features, scripts and titles that tracks share")
    func variety() {
        #expect(Set(entries.map(\.version)).count == 8)
        #expect(Set((0..<catalogue.artists).map { "\(catalogue.script(ofArtist: $0))" }).count >= 5)
        let titles = entries.filter { $0.version == .original }.map { catalogue.title(of: $0, on: .apple) }
        #expect(titles.contains { $0.contains("(feat. ") } && titles.contains { $0.contains("(with ") })
        // One album has two tracks of one title, with codes of their own.
        let album = Release(artist: 3, edition: .album)
        let recordings = album.edition.slots.map { album.artist * RecordingSlot.count + $0 }
        let names = recordings.map { catalogue.title(of: Entry(recording: $0, edition: .album), on: .spotify) }
        #expect(Set(names).count < names.count)
    }

    @Test("The truth lists all releases of a recording at both services")
    func truth() {
        let first = RecordingTruth(0, of: catalogue, storefront: "fr")
        #expect(first.spotify.count == 4 && first.version == .original && first.song == 0)
        #expect(first.apple.isEmpty == !catalogue.isAvailable(0, in: "fr"))
        let remaster = RecordingTruth(36, of: catalogue, storefront: "fr")
        #expect(remaster.version == .remaster && remaster.song == 12)
    }

    @Test("A search finds titles and artists together, and versions by their words")
    func search() throws {
        let search = RecordingSearch(catalogue, on: .spotify)
        let entry = Entry(recording: 36, edition: .remastered)
        let title = catalogue.title(of: entry, on: .spotify)
        let artist = catalogue.name(ofArtist: entry.artist, on: .spotify)
        let found = search.entries(.init(words: SearchText.required("\(artist) \(title)")))
        #expect(found.contains(entry), "\(artist) \(title)")
        let exact = search.entries(
            .init(track: SearchText.required(title), artist: SearchText.required(artist)))
        #expect(exact.contains(entry))
        #expect(search.artists(named: SearchText.required(artist)).contains(entry.artist))
        #expect(search.entries(.init(words: ["nothinghasthisword"])) == [])
    }
}
