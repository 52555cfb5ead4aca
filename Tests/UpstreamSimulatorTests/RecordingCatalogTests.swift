import Testing

@testable import UpstreamSimulator

@Suite("The recordings that a seed determines")
struct RecordingCatalogTests {
    private let catalog = RecordingCatalog(seed: 7, count: 4_000)

    private var entries: [Entry] { (0..<catalog.count).flatMap { Entry.all(of: $0) } }

    @Test("Equal seeds make equal recordings, other seeds make others, and counts are rounded to whole artists")
    func seedDeterminesRecordings() {
        let same = RecordingCatalog(seed: 7, count: 3_999)
        let other = RecordingCatalog(seed: 8, count: 4_000)
        #expect(same.count == 4_000)
        var differences = 0
        for recording in 0..<400 {
            let entry = catalog.usualEntry(of: recording, on: .spotify)
            #expect(same.title(of: entry, on: .apple) == catalog.title(of: entry, on: .apple))
            if other.title(of: entry, on: .apple) != catalog.title(of: entry, on: .apple) { differences += 1 }
        }
        #expect(differences > 300)
    }

    @Test("Ids have their services' forms, are unique, and can be decoded; others are unknown")
    func idsOfServices() {
        var spotify: Set<String> = []
        var apple: Set<String> = []
        for entry in entries {
            let id = catalog.spotifyID(.track, UInt64(entry.number))
            #expect(Base62.isID(id) && catalog.entry(ofSpotifyID: id) == entry)
            #expect(catalog.release(ofSpotifyID: id) == nil && catalog.artist(ofSpotifyID: id) == nil)
            spotify.insert(id)
            let number = catalog.appleID(.song, entry.number, storefront: "fr")
            #expect(number.count == 10 && catalog.entry(ofAppleID: number, storefront: "fr") == entry)
            #expect(catalog.appleID(.song, entry.number, storefront: "us") != number)
            apple.insert(number)
        }
        #expect(spotify.count == entries.count && apple.count == entries.count)
        #expect(catalog.entry(ofSpotifyID: "37i9dQZF1DX0XUsuxWHRQd") == nil)
        #expect(catalog.entry(ofAppleID: "12", storefront: "fr") == nil)
    }

    @Test("A shuffle has every number once")
    func shuffledNumbers() {
        for count in [1, 2, 7, 1_000] {
            let order = Shuffle(count: count, key: 3)
            #expect(Set((0..<count).map { order[$0] }) == Set(0..<count))
        }
    }

    @Test("Codes are found in any form; some are missing, shared, in lower case, hyphenated, or others at Apple")
    func codesOfRecordings() throws {
        var (missing, lower, hyphens, shared, different) = (0, 0, 0, 0, 0)
        for entry in entries {
            guard let code = catalog.isrc(of: entry, on: .spotify) else {
                missing += 1
                continue
            }
            #expect(code.count == 12 && code == code.uppercased())
            let shown = try #require(catalog.spotifyISRC(of: entry))
            if shown == code.lowercased() { lower += 1 }
            if shown.contains("-") { hyphens += 1 }
            let carriers = catalog.entries(withISRC: shown, on: .spotify)
            #expect(carriers.contains(entry), "\(shown)")
            if Set(carriers.map(\.recording)).count > 1 { shared += 1 }
            if let apple = catalog.isrc(of: entry, on: .apple), apple != code {
                different += 1
                #expect(catalog.entries(withISRC: apple, on: .apple).contains(entry))
            }
        }
        for number in [missing, lower, hyphens, shared, different] {
            #expect(number > 5 && number < entries.count / 10, "\([missing, lower, hyphens, shared, different])")
        }
        #expect(catalog.entries(withISRC: "nonsense", on: .spotify) == [])
    }

    @Test("Different songs share codes at both services or at one, and releases of one recording have several")
    func wrongCodes() {
        var byCode: [MusicService: [String: Set<Int>]] = [:]
        var several = 0
        for recording in 0..<catalog.count {
            for service in [MusicService.spotify, .apple] {
                let codes = Set(Entry.all(of: recording).compactMap { catalog.isrc(of: $0, on: service) })
                if codes.count > 1 { several += 1 }
                for code in codes { byCode[service, default: [:]][code, default: []].insert(recording) }
            }
        }
        func shared(_ service: MusicService) -> Set<Set<Int>> {
            Set((byCode[service] ?? [:]).values.filter { Set($0.map { Entry.all(of: $0)[0].song }).count > 1 })
        }
        let (spotify, apple) = (shared(.spotify), shared(.apple))
        #expect(spotify.intersection(apple).count > 10)
        #expect(!spotify.subtracting(apple).isEmpty && !apple.subtracting(spotify).isEmpty)
        #expect(several > 20 && several < catalog.count / 10)
    }

    @Test("The services spell titles differently, and durations differ by two seconds, or by silence")
    func spellingsAndDurations() {
        var (different, silent) = (0, 0)
        for entry in entries {
            if catalog.title(of: entry, on: .spotify) != catalog.title(of: entry, on: .apple) { different += 1 }
            let duration = catalog.duration(of: entry, on: .spotify)
            let difference = catalog.duration(of: entry, on: .apple) - duration
            guard abs(difference) > 2_000 else { continue }
            silent += 1
            #expect(difference > 0 && difference * 100 <= duration * 8)
        }
        #expect(different > entries.count / 4 && different < entries.count * 4 / 5)
        #expect(silent > 5 && silent < entries.count / 40)
    }

    @Test("There are all versions, editions, features, scripts and titles that tracks share")
    func varietyOfRecordings() {
        #expect(Set(entries.map(\.version)).count == 13)
        #expect(Set((0..<catalog.artists).map { "\(catalog.script(ofArtist: $0))" }).count >= 5)
        let titles = entries.filter { $0.version == .original }.map { catalog.title(of: $0, on: .apple) }
        for part in ["(feat. ", "(with ", "Part 2", "Album Version", "From “"] {
            #expect(titles.contains { $0.contains(part) }, "\(part)")
        }
        // One album has two tracks with the same title, with codes of their own.
        let album = Release(artist: 3, edition: .album)
        let recordings = album.edition.slots.map { album.artist * RecordingSlot.count + $0 }
        let names = recordings.map { catalog.title(of: Entry(recording: $0, edition: .album), on: .spotify) }
        #expect(Set(names).count < names.count)
    }

    @Test(
        "Versions are marked in the way of each service, or distinguished only by length or album",
        arguments: [MusicService.spotify, .apple])
    func marksOfVersions(_ service: MusicService) {
        var unmarked: Set<Version> = []
        for entry in entries where entry.version != .original {
            let title = catalog.title(of: entry, on: service)
            if title == catalog.title(ofSong: entry.song, on: service) {
                unmarked.insert(entry.version)
            } else if service == .apple {
                #expect(title.hasSuffix(")") || title.hasSuffix("]"), "\(title)")
            } else {
                #expect(title.contains(" - ") || title.hasSuffix(")"), "\(title)")
            }
        }
        // A remaster is marked by its album then.
        let silent: Set<Version> = [.radioEdit, .live, .cover]
        #expect(unmarked == (service == .apple ? silent.union([.remaster]) : silent))
    }

    @Test("Guests are in titles, among artists, or in both; never in neither")
    func guestsOfSongs() throws {
        var (titles, artists) = (0, 0)
        for entry in entries {
            guard let guest = catalog.guest(of: entry) else { continue }
            let name = catalog.name(ofArtist: guest, on: .apple)
            let isInTitle = catalog.title(of: entry, on: .apple).contains(name)
            let isArtist = catalog.appleArtistName(of: entry).contains(name)
            #expect(isInTitle || isArtist)
            titles += isInTitle ? 1 : 0
            artists += isArtist ? 1 : 0
            #expect(catalog.artists(of: entry) == [entry.artist, guest])
        }
        #expect(titles > 50 && artists > 50 && titles != artists)
    }

    @Test("Words in other scripts have a form in Latin letters, which one service may show")
    func romanizedWords() {
        for script in [Script.cyrillic, .greek, .japanese, .korean, .arabic, .hebrew] {
            #expect(Vocabulary.words(of: script).count == Vocabulary.romanizedWords(of: script).count)
            #expect(Vocabulary.artists(of: script).count == Vocabulary.romanizedArtists(of: script).count)
            let latin = Vocabulary.romanizedWords(of: script) + Vocabulary.romanizedArtists(of: script)
            #expect(latin.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
        }
        let foreign = (0..<catalog.artists).filter { catalog.script(ofArtist: $0) != .latin }
        func isLatin(_ song: Int, _ service: MusicService) -> Bool {
            catalog.title(ofSong: song, on: service).utf8.allSatisfy { $0 < 0x80 }
        }
        let songs = foreign.flatMap { artist in (0..<10).map { artist * RecordingSlot.count + $0 } }
        #expect(songs.contains { isLatin($0, .apple) && !isLatin($0, .spotify) })
        #expect(songs.filter { isLatin($0, .apple) }.count < songs.count / 3)
    }

    @Test("Karaoke versions and tributes have others' titles and lengths, but are recordings and tracks of their own")
    func karaokeAndTributes() {
        let tribute = Entry(recording: 24 * RecordingSlot.count + 3, edition: .album)
        #expect(tribute.version == .cover && tribute.song == 23 * RecordingSlot.count + 3)
        #expect(tribute.track == tribute.recording)
        let owner = catalog.name(ofArtist: 23, on: .apple)
        #expect(catalog.appleArtistName(of: tribute) == "The \(owner) Tribute Band")
        for slot in 0..<RecordingSlot.songs {
            let entry = Entry(recording: 49 * RecordingSlot.count + slot, edition: slot < 12 ? .album : .second)
            #expect(entry.version == .karaoke && entry.song == (48 - slot) * RecordingSlot.count + slot)
            let title = catalog.title(of: entry, on: .spotify)
            #expect(title.hasPrefix(catalog.title(ofSong: entry.song, on: .spotify)))
            #expect(title.hasSuffix(" - Karaoke Version"))
            #expect(catalog.guest(of: entry) == nil && !catalog.isExplicit(entry))
        }
        for song in 0..<catalog.count where song % RecordingSlot.count < RecordingSlot.songs {
            guard let guest = catalog.guest(ofSong: song) else { continue }
            #expect(ArtistKind(artist: guest) == .ordinary && guest != song / RecordingSlot.count)
        }
    }

    @Test("The truth lists all releases of a recording at both services")
    func releasesOfARecording() throws {
        let first = RecordingTruth(0, of: catalog, storefront: "fr")
        #expect(first.spotify.count == 4 && first.version == .original && first.song == 0 && first.track == 0)
        #expect(first.apple.isEmpty == !catalog.isAvailable(0, in: "fr"))
        let remaster = RecordingTruth(36, of: catalog, storefront: "fr")
        #expect(remaster.version == .remaster && remaster.song == 12 && remaster.track == 12)
        // Artists with a clean recording have an explicit one of the song.
        let clean = RecordingTruth(RecordingSlot.count + 26, of: catalog, storefront: "fr")
        #expect(clean.version == .clean && clean.song == RecordingSlot.count && clean.track == clean.recording)
        #expect((clean.spotify + clean.apple).allSatisfy { $0.explicit == false })
        let original = RecordingTruth(clean.song, of: catalog, storefront: "fr")
        #expect((original.spotify + original.apple).allSatisfy { $0.explicit == true })
    }

    @Test("An unmarked edit is on the same single as the album's recording, and much shorter")
    func unmarkedEdits() {
        let first = 2 * RecordingSlot.count
        let (whole, edit) = (Entry(recording: first, edition: .single), Entry(recording: first + 26, edition: .single))
        #expect(edit.version == .radioEdit)
        for service in [MusicService.spotify, .apple] {
            let title = catalog.title(of: edit, on: service)
            #expect(title.hasPrefix(catalog.title(ofSong: first, on: service)) && !title.contains("Edit"), "\(title)")
            #expect(catalog.title(of: whole, on: service).contains("Album Version"))
            let lengths = [edit, whole].map { catalog.duration(of: $0, on: service) }
            #expect(lengths[0] * 100 < lengths[1] * 92)
        }
    }

    @Test("A search finds titles and artists together, and versions by their words")
    func searchedWords() throws {
        let search = RecordingSearch(catalog, on: .spotify)
        let entry = Entry(recording: 36, edition: .remastered)
        let title = catalog.title(of: entry, on: .spotify)
        let artist = catalog.name(ofArtist: entry.artist, on: .spotify)
        let found = search.entries(.init(words: SearchText.required("\(artist) \(title)")))
        #expect(found.contains(entry), "\(artist) \(title)")
        let exact = search.entries(
            .init(track: SearchText.required(title), artist: SearchText.required(artist)))
        #expect(exact.contains(entry))
        #expect(search.artists(named: SearchText.required(artist)).contains(entry.artist))
        #expect(search.entries(.init(words: ["nothinghasthisword"])) == [])
    }
}
