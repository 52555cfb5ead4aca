extension RecordingCatalog {
    // MARK: ISRC

    private static let countries = [
        "US", "GB", "DE", "FR", "SE", "CZ", "NL", "JP", "KR", "BR", "AU", "CA", "ES", "IT", "NO", "QM",
    ]
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ".unicodeScalars)

    /// The recording whose code a recording carries at a service: its own, or by mistake another one.
    func codeOwner(of recording: Int, on service: MusicService) -> Int {
        let artist = recording / RecordingSlot.count
        let first = artist * RecordingSlot.count
        switch recording % RecordingSlot.count {
        // Another song of the artist.
        case 5 where artist % 8 == 1: return first + 17
        // A song of somebody else.
        case 8 where artist % 8 == 2: return first - RecordingSlot.count + 8
        // The single's edit has the code of the long recording.
        case 26 where artist % 8 == 3: return first
        // The second part has the code of the first one.
        case 19 where artist % 12 == 1: return first + 18
        // A neighboring recording's code, at one service only.
        case 6 where service == .spotify && artist % 18 == 4: return first + 7
        case 14 where service == .apple && artist % 15 == 8: return first + 13
        default: return recording
        }
    }

    /// The recordings that may carry a recording's code: itself, and those that carry it by mistake.
    private func mayCarryCode(of recording: Int, on service: MusicService) -> [Int] {
        let first = recording / RecordingSlot.count * RecordingSlot.count
        let others = [5, 6, 14, 19, 26, RecordingSlot.count + 8].map { first + $0 }.filter {
            $0 < count && $0 != recording && codeOwner(of: $0, on: service) == recording
        }
        return [recording] + others
    }

    /// Which of a recording's codes a release has. Labels register some recordings again.
    private enum Registration: UInt64 {
        case first, atApple, onCompilation, onDeluxe
    }

    private func registration(of entry: Entry, on service: MusicService) -> Registration {
        let again = draw(entry.recording, .registration) % 100
        switch entry.edition {
        case .best where again < 20: return .onCompilation
        case .deluxe where (20..<25).contains(again): return .onDeluxe
        default:
            let isAnother = (30..<50).contains(draw(entry.recording, .isrcFault) % 1_000)
            return service == .apple && isAnother ? .atApple : .first
        }
    }

    /// The ISRC in its plain form, such as `GBAQA9800123`; `nil` if the service has none.
    ///
    /// Some recordings have a different one at Apple, or on another release: they were registered twice.
    func isrc(of entry: Entry, on service: MusicService) -> String? {
        switch draw(entry.recording, .isrcFault) % 1_000 {
        case 0..<15 where service == .spotify: return nil
        case 15..<25 where service == .apple: return nil
        case 25..<30: return nil
        default: break
        }
        let owner = codeOwner(of: entry.recording, on: service)
        return code(of: owner, owner == entry.recording ? registration(of: entry, on: service) : .first)
    }

    /// The ISRC as Spotify shows it: now and then in lower case, or with hyphens.
    func spotifyISRC(of entry: Entry) -> String? {
        guard let isrc = isrc(of: entry, on: .spotify) else { return nil }
        switch draw(entry.recording, .isrcForm) % 100 {
        case 0: return isrc.lowercased()
        case 1:
            let parts = [isrc.prefix(2), isrc.dropFirst(2).prefix(3), isrc.dropFirst(5).prefix(2), isrc.dropFirst(7)]
            return parts.joined(separator: "-")
        default: return isrc
        }
    }

    private func code(of recording: Int, _ registration: Registration) -> String {
        let number = isrcs.forward(UInt64(recording) * 4 + registration.rawValue)
        let artist = recording / RecordingSlot.count
        let country = Self.countries[Int(draw(artist, .country) % UInt64(Self.countries.count))]
        let edition = Edition.holding(slot: recording % RecordingSlot.count)[0]
        let year = date(of: Release(artist: artist, edition: edition)).year % 100
        let registrant = Int(number / 100_000)
        var code = country
        for letter in [registrant * 11 + 5, registrant, registrant / 26] {
            code.unicodeScalars.append(Self.letters[letter % 26])
        }
        return code + Self.padded(year, 2) + Self.padded(Int(number % 100_000), 5)
    }

    private static func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// The entries that carry a code at a service, in order. The text may be in any case, with or without hyphens.
    func entries(withISRC text: String, on service: MusicService) -> [Entry] {
        let code = text.uppercased().filter { $0 != "-" }
        let scalars = Array(code.unicodeScalars)
        guard scalars.count == 12, scalars.allSatisfy(\.isASCII),
            let high = Self.letters.firstIndex(of: scalars[4]), let low = Self.letters.firstIndex(of: scalars[3]),
            let serial = UInt64(String(code.suffix(5)))
        else { return [] }
        let number = UInt64(high * 26 + low) * 100_000 + serial
        guard number < 1 << 24 else { return [] }
        let owner = Int(isrcs.backward(number) / 4)
        guard owner < count else { return [] }
        return mayCarryCode(of: owner, on: service).sorted().flatMap { Entry.all(of: $0) }
            .filter { isrc(of: $0, on: service) == code }
    }

    // MARK: UPC

    private static let firstUPC: UInt64 = 700_000_000_000

    /// The twelve-digit code of a release.
    func upc(of release: Release) -> String { String(Self.firstUPC + UInt64(release.number)) }

    func release(ofUPC text: String) -> Release? {
        guard let number = UInt64(text), number >= Self.firstUPC else { return nil }
        return Release(number: number - Self.firstUPC).flatMap { $0.artist < artists ? $0 : nil }
    }

    // MARK: Ids

    /// What a Spotify id names.
    enum SpotifyKind: UInt64 {
        case track, album, artist, episode, show, playlist
    }

    /// The Spotify id: 22 letters and digits.
    func spotifyID(_ kind: SpotifyKind, _ number: UInt64) -> String {
        Base62.text(spotifyIDs.forward(number * 8 + kind.rawValue))
    }

    /// The number of an id; `nil` for one that this catalog did not make.
    func number(ofSpotifyID id: some StringProtocol, _ kind: SpotifyKind) -> UInt64? {
        guard let value = Base62.value(id) else { return nil }
        let number = spotifyIDs.backward(value)
        return number % 8 == kind.rawValue ? number / 8 : nil
    }

    func entry(ofSpotifyID id: some StringProtocol) -> Entry? {
        number(ofSpotifyID: id, .track).flatMap { Entry(number: $0) }.flatMap { contains($0) ? $0 : nil }
    }

    func release(ofSpotifyID id: some StringProtocol) -> Release? {
        number(ofSpotifyID: id, .album).flatMap { Release(number: $0) }.flatMap { $0.artist < artists ? $0 : nil }
    }

    func artist(ofSpotifyID id: some StringProtocol) -> Int? {
        number(ofSpotifyID: id, .artist).flatMap { $0 < UInt64(artists) ? Int($0) : nil }
    }

    /// What an id of Apple's catalog names.
    enum AppleKind: UInt64 {
        case song, album, video, artist
    }

    private func appleIDs(_ storefront: String) -> Permutation {
        Permutation(halfBits: 15, key: Mix.of(seed, Mix.of(storefront)))
    }

    /// The id in Apple's catalog: ten digits, which differ between storefronts.
    func appleID(_ kind: AppleKind, _ number: UInt32, storefront: String) -> String {
        String(1_000_000_000 + appleIDs(storefront).forward(UInt64(number) * 4 + kind.rawValue))
    }

    /// The number of an id; `nil` for one that this catalog did not make.
    private func number(ofAppleID id: String, _ kind: AppleKind, storefront: String) -> UInt64? {
        guard id.utf8.count == 10, let value = UInt64(id), (1_000_000_000..<1_000_000_000 + 1 << 30).contains(value)
        else { return nil }
        let number = appleIDs(storefront).backward(value - 1_000_000_000)
        return number % 4 == kind.rawValue ? number / 4 : nil
    }

    /// The entry of a song's id, whether or not the storefront sells it; `nil` if the id is not valid.
    func entry(ofAppleID id: String, storefront: String) -> Entry? {
        number(ofAppleID: id, .song, storefront: storefront).flatMap { Entry(number: $0) }
            .flatMap { contains($0) ? $0 : nil }
    }

    func release(ofAppleID id: String, storefront: String) -> Release? {
        number(ofAppleID: id, .album, storefront: storefront).flatMap { Release(number: $0) }
            .flatMap { $0.artist < artists ? $0 : nil }
    }

    func artist(ofAppleID id: String, storefront: String) -> Int? {
        number(ofAppleID: id, .artist, storefront: storefront).flatMap { $0 < UInt64(artists) ? Int($0) : nil }
    }
}
