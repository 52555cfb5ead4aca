import Foundation

extension RecordingCatalog {
    /// The name under which a service lists an artist.
    func name(ofArtist artist: Int, on service: MusicService) -> String {
        switch ArtistKind(artist: artist) {
        case .ordinary: break
        case .karaoke: return Vocabulary.karaokeArtists[artist / 50 % Vocabulary.karaokeArtists.count]
        case .tribute:
            let owner = name(ofArtist: ArtistKind.owner(ofSong: 0, artist: artist), on: service)
            return artist % 100 == 24 ? "The \(owner) Tribute Band" : "A Tribute to \(owner)"
        }
        let script = script(ofArtist: artist)
        let draw = draw(artist, .artistName)
        guard script == .latin else { return foreignName(draw, script, isRomanized: isRomanized(artist, on: service)) }
        // Adjacent artists in this order share no name until all pairs have been used.
        let pair = Int(Mix.of(seed, 0xa27) % 3_001) + artist
        let first = Vocabulary.artistFirsts[pair * 7 % Vocabulary.artistFirsts.count]
        let last = Vocabulary.artistLasts[
            (pair / Vocabulary.artistFirsts.count + pair * 5) % Vocabulary.artistLasts.count]
        let spelling = self.draw(artist, .artistSpelling)
        let isSpelledOut = service == .apple && spelling % 100 < 30
        let name =
            switch draw % 100 {
            case 0..<55: "\(first) \(last)"
            case 55..<80: "\(first) \(isSpelledOut ? "and" : "&") the \(last)"
            case 80..<92: (isSpelledOut ? "" : "The ") + "\(last) of \(first)"
            default: "\(first.uppercased())/\(last)"
            }
        // Somebody at Apple has typed some names without their accents.
        return service == .apple && (spelling >> 8) % 100 < 10 ? Self.withoutAccents(name) : name
    }

    private func foreignName(_ draw: UInt64, _ script: Script, isRomanized: Bool) -> String {
        let names = Vocabulary.artists(of: script)
        let shown = isRomanized ? Vocabulary.romanizedArtists(of: script) : names
        let (first, second) = (Int(draw % UInt64(names.count)), Int((draw >> 16) % UInt64(names.count)))
        if first == second { return shown[first] }
        return shown[first] + (script == .japanese && !isRomanized ? "" : " ") + shown[second]
    }

    /// Whether a service lists an artist whose name is in another script in Latin letters.
    private func isRomanized(_ artist: Int, on service: MusicService) -> Bool {
        let draw = draw(artist, .artistSpelling) >> 16
        return service == .apple ? draw % 100 < 12 : (draw >> 8) % 100 < 3
    }

    static func withoutAccents(_ text: String) -> String {
        text.utf8.allSatisfy { $0 < 0x80 } ? text : text.folding(options: .diacriticInsensitive, locale: nil)
    }

    /// The artists of an entry, the guest last.
    func artists(of entry: Entry) -> [Int] {
        [entry.artist] + (guest(of: entry).map { [$0] } ?? [])
    }

    /// Apple's one text for all artists. The guest is often only in the title.
    func appleArtistName(of entry: Entry) -> String {
        let own = name(ofArtist: entry.artist, on: .apple)
        guard let guest = guest(of: entry) else { return own }
        let draw = draw(entry.song, .guestSpelling)
        guard draw >> 8 & 1 == 0 || !hasFeature(draw, on: .apple) else { return own }
        return "\(own) \(draw >> 24 & 3 == 0 ? "feat." : "&") \(name(ofArtist: guest, on: .apple))"
    }

    /// Whether a service has the guest in the title; otherwise the guest is only among the artists.
    ///
    /// - Parameter draw: the draw of ``Purpose/guestSpelling`` for the song.
    func hasFeature(_ draw: UInt64, on service: MusicService) -> Bool {
        switch service {
        case .spotify: draw % 100 >= 50
        case .apple: !(40..<60).contains(draw % 100)
        }
    }
}
