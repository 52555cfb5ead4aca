extension RecordingCatalogue {
    // MARK: Artists

    /// The name under which a service lists an artist.
    func name(ofArtist artist: Int, on service: MusicService) -> String {
        let script = script(ofArtist: artist)
        let draw = draw(artist, .artistName)
        guard script == .latin else {
            let names = Vocabulary.artists(of: script)
            let first = names[Int(draw % UInt64(names.count))]
            let second = names[Int((draw >> 16) % UInt64(names.count))]
            return first == second ? first : script == .japanese ? first + second : first + " " + second
        }
        // Neighbours in this order share no name until all pairs have been used.
        let pair = Int(Mix.of(seed, 0xa27) % 3_001) + artist
        let first = Vocabulary.artistFirsts[pair * 7 % Vocabulary.artistFirsts.count]
        let last = Vocabulary.artistLasts[
            (pair / Vocabulary.artistFirsts.count + pair * 5) % Vocabulary.artistLasts.count]
        switch draw % 100 {
        case 0..<55: return "\(first) \(last)"
        case 55..<80:
            let spelledOut = service == .apple && chance(30, artist, .artistSpelling)
            return "\(first) \(spelledOut ? "and" : "&") the \(last)"
        case 80..<92: return "The \(last) of \(first)"
        default: return "\(first.uppercased())/\(last)"
        }
    }

    /// The artists of an entry, the guest last.
    func artists(of entry: Entry) -> [Int] {
        [entry.artist] + (guest(ofSong: entry.song).map { [$0] } ?? [])
    }

    /// Apple's one text for all artists. The guest is often only in the title.
    func appleArtistName(of entry: Entry) -> String {
        let own = name(ofArtist: entry.artist, on: .apple)
        guard let guest = guest(ofSong: entry.song), draw(entry.song, .guestSpelling) >> 8 & 1 == 0 else { return own }
        return "\(own) & \(name(ofArtist: guest, on: .apple))"
    }

    // MARK: Titles

    /// The title of a song without features and versions.
    func title(ofSong song: Int, on service: MusicService) -> String {
        let artist = song / RecordingSlot.count
        // Two tracks of one album with one title, and titles that many artists have.
        switch song % RecordingSlot.count {
        case 10 where artist % 10 == 3: return "Interlude"
        case 11 where artist % 10 == 3: return "Interlude"
        case 11 where artist % 5 == 0, 21 where artist % 5 == 0: return "Intro"
        default: return phrase(draw(song, .title), artist: artist, spelled: spelling(song, service))
        }
    }

    /// How a service writes what both have in their titles.
    private struct Spelling {
        var apostrophe = "'"
        var and = "&"
        var dots = "..."
    }

    private func spelling(_ subject: Int, _ service: MusicService) -> Spelling {
        guard service == .apple else { return Spelling() }
        let draw = draw(subject, .titleSpelling)
        return Spelling(
            apostrophe: draw & 1 == 0 ? "’" : "'", and: draw & 2 == 0 ? "and" : "&", dots: draw & 4 == 0 ? "…" : "...")
    }

    private func phrase(_ draw: UInt64, artist: Int, spelled spelling: Spelling) -> String {
        func pick(_ words: [String], _ shift: UInt64) -> String { words[Int((draw >> shift) % UInt64(words.count))] }
        let script = script(ofArtist: artist)
        guard script == .latin else {
            let words = Vocabulary.words(of: script)
            let first = pick(words, 8)
            guard draw % 3 != 0 else { return first }
            return script == .japanese ? first + "の" + pick(words, 20) : first + " " + pick(words, 20)
        }
        let noun = pick(Vocabulary.nouns, 8)
        let other = pick(Vocabulary.nouns, 20)
        let adjective = pick(Vocabulary.adjectives, 32)
        let verb = pick(Vocabulary.verbs, 44)
        return switch draw % 12 {
        case 0, 1, 2: "\(adjective) \(noun)"
        case 3: noun
        case 4: "\(noun) \(spelling.and) \(other)"
        case 5: "Don\(spelling.apostrophe)t \(verb)"
        case 6: "\(noun) of the \(other)"
        case 7: "\(verb), \(verb)"
        case 8: "\(verb) the \(noun)"
        case 9: "What \(noun)?"
        case 10: "The \(adjective) \(noun)\(spelling.dots)"
        default: "I\(spelling.apostrophe)m Your \(adjective) \(noun)"
        }
    }

    /// The title of an entry as a service lists it.
    func title(of entry: Entry, on service: MusicService) -> String {
        let base = title(ofSong: entry.song, on: service)
        let feature = feature(of: entry, on: service)
        guard entry.version != .original else { return base + feature }
        let version = versionText(of: entry, on: service)
        // Spotify separates versions with a hyphen, Apple puts them in brackets.
        switch service {
        case .spotify: return "\(base)\(feature) - \(version)"
        case .apple: return feature.isEmpty ? "\(base) (\(version))" : "\(base)\(feature) [\(version)]"
        }
    }

    /// The guest's part of a title. On Spotify the guest is often only among the artists.
    private func feature(of entry: Entry, on service: MusicService) -> String {
        guard let guest = guest(ofSong: entry.song) else { return "" }
        let draw = draw(entry.song, .guestSpelling)
        if service == .spotify, draw % 100 < 50 { return "" }
        let word =
            switch (draw >> 16) % 4 {
            case 0: "with"
            case 1 where service == .spotify: "ft."
            default: "feat."
            }
        return " (\(word) \(name(ofArtist: guest, on: service)))"
    }

    private func versionText(of entry: Entry, on service: MusicService) -> String {
        let draw = draw(entry.recording, .versionText)
        let differs = service == .apple && chance(40, entry.recording, .versionSpelling)
        let place = Vocabulary.places[Int(self.draw(entry.artist, .place) % UInt64(Vocabulary.places.count))]
        switch entry.version {
        case .original: return ""
        case .acoustic: return differs ? "Acoustic Version" : "Acoustic"
        case .live: return differs ? "Live" : draw % 2 == 0 ? "Live at \(place)" : "Live"
        case .remix:
            return "\(Vocabulary.remixers[Int(draw % UInt64(Vocabulary.remixers.count))]) Remix"
        case .demo: return differs ? "Demo Version" : "Demo"
        case .radioEdit: return differs ? "Edit" : "Radio Edit"
        case .instrumental: return differs ? "Instrumental Version" : "Instrumental"
        case .remaster:
            let year = remasterYear(ofArtist: entry.artist)
            if differs { return "Remastered" }
            return draw % 2 == 0 ? "Remastered \(year)" : "\(year) Remaster"
        }
    }

    // MARK: Albums

    func title(of release: Release, on service: MusicService) -> String {
        let artist = release.artist
        func base(_ number: Int) -> String {
            phrase(
                draw(artist * 2 + number, .albumTitle), artist: artist, spelled: spelling(artist * 2 + number, service))
        }
        switch release.edition {
        case .album: return base(0)
        case .deluxe: return service == .apple ? base(0) + " (Deluxe Edition)" : base(0) + " (Deluxe)"
        case .second: return base(1)
        case .single:
            let title = title(of: Entry(recording: artist * RecordingSlot.count, edition: .single), on: service)
            return service == .apple ? title + " - Single" : title
        case .live:
            let place = Vocabulary.places[Int(draw(artist, .place) % UInt64(Vocabulary.places.count))]
            return service == .apple ? "Live at \(place)" : "Live At \(place)"
        case .remastered:
            let year = remasterYear(ofArtist: artist)
            return service == .apple ? base(1) + " (Remastered)" : base(1) + " (\(year) Remaster)"
        case .best: return "The Best of " + name(ofArtist: artist, on: service)
        }
    }
}
