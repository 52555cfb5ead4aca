extension RecordingCatalog {
    /// The title of a song without features and versions.
    func title(ofSong song: Int, on service: MusicService) -> String {
        let artist = song / RecordingSlot.count
        // Two tracks of one album with one title, titles that many artists have, and a title in two parts.
        switch song % RecordingSlot.count {
        case 10 where artist % 10 == 3: return "Interlude"
        case 11 where artist % 10 == 3: return "Interlude"
        case 11 where artist % 5 == 0, 21 where artist % 5 == 0: return "Intro"
        case 18 where artist % 6 == 1: return title(ofFirstPart: song, on: service) + part(1, of: song, on: service)
        case 19 where artist % 6 == 1:
            return title(ofFirstPart: song - 1, on: service) + part(2, of: song - 1, on: service)
        default: return phrase(draw(song, .title), artist: artist, spelled: spelling(song, service))
        }
    }

    private func title(ofFirstPart song: Int, on service: MusicService) -> String {
        phrase(draw(song, .title), artist: song / RecordingSlot.count, spelled: spelling(song, service))
    }

    private func part(_ number: Int, of song: Int, on service: MusicService) -> String {
        switch draw(song, .note) % 3 {
        case 0 where service == .apple: " (Part \(number))"
        case 1 where service == .apple: ", Part \(number == 1 ? "I" : "II")"
        default: ", Pt. \(number)"
        }
    }

    /// How a service spells what both services have in their titles.
    private struct Spelling {
        var apostrophe = "'"
        var and = "&"
        var dots = "..."
        var of = "of"
        var the = "the"
        var hasAccents = true
        /// Whether the title is in Latin letters, whatever the artist's script.
        var isRomanized = false
    }

    private func spelling(_ subject: Int, _ service: MusicService) -> Spelling {
        let draw = draw(subject, .titleSpelling)
        guard service == .apple else { return Spelling(isRomanized: (draw >> 32) % 100 < 4) }
        return Spelling(
            apostrophe: draw & 1 == 0 ? "’" : "'", and: draw & 2 == 0 ? "and" : "&",
            dots: draw & 4 == 0 ? "…" : "...",
            of: draw & 24 == 0 ? "Of" : "of", the: draw & 24 == 0 ? "The" : "the", hasAccents: draw & 224 != 0,
            isRomanized: (draw >> 16) % 100 < 15)
    }

    private func phrase(_ draw: UInt64, artist: Int, spelled spelling: Spelling) -> String {
        func pick(_ words: [String], _ shift: UInt64) -> String { words[Int((draw >> shift) % UInt64(words.count))] }
        let script = script(ofArtist: artist)
        guard script == .latin else {
            let words = spelling.isRomanized ? Vocabulary.romanizedWords(of: script) : Vocabulary.words(of: script)
            let first = pick(words, 8)
            guard draw % 3 != 0 else { return first }
            let joint = script != .japanese ? " " : spelling.isRomanized ? " no " : "の"
            return first + joint + pick(words, 20)
        }
        let noun = pick(Vocabulary.nouns, 8)
        let other = pick(Vocabulary.nouns, 20)
        let adjective = pick(Vocabulary.adjectives, 32)
        let verb = pick(Vocabulary.verbs, 44)
        let phrase =
            switch draw % 12 {
            case 0, 1, 2: "\(adjective) \(noun)"
            case 3: noun
            case 4: "\(noun) \(spelling.and) \(other)"
            case 5: "Don\(spelling.apostrophe)t \(verb)"
            case 6: "\(noun) \(spelling.of) \(spelling.the) \(other)"
            case 7: "\(verb), \(verb)"
            case 8: "\(verb) \(spelling.the) \(noun)"
            case 9: "What \(noun)?"
            case 10: "The \(adjective) \(noun)\(spelling.dots)"
            default: "I\(spelling.apostrophe)m Your \(adjective) \(noun)"
            }
        return spelling.hasAccents ? phrase : Self.withoutAccents(phrase)
    }

    /// The title of an entry as a service lists it.
    func title(of entry: Entry, on service: MusicService) -> String {
        let base = title(ofSong: entry.song, on: service)
        let addition = feature(of: entry, on: service) + performer(of: entry, on: service)
        let version = entry.version == .original ? note(of: entry, on: service) : versionText(of: entry, on: service)
        guard !version.isEmpty else { return base + addition }
        // Spotify separates versions with a hyphen, Apple puts them in brackets.
        switch service {
        case .spotify: return "\(base)\(addition) - \(version)"
        case .apple: return addition.isEmpty ? "\(base) (\(version))" : "\(base)\(addition) [\(version)]"
        }
    }

    /// The guest's part of a title.
    private func feature(of entry: Entry, on service: MusicService) -> String {
        guard let guest = guest(of: entry) else { return "" }
        let draw = draw(entry.song, .guestSpelling)
        guard hasFeature(draw, on: service) else { return "" }
        let word =
            switch (draw >> 16) % 4 {
            case 0: "with"
            case 1 where service == .spotify: "ft."
            default: "feat."
            }
        return " (\(word) \(name(ofArtist: guest, on: service)))"
    }

    /// The original performer of a karaoke version, if the title names them.
    private func performer(of entry: Entry, on service: MusicService) -> String {
        guard entry.version == .karaoke else { return "" }
        let owner = name(ofArtist: entry.song / RecordingSlot.count, on: service)
        switch draw(entry.recording, .note) % 3 {
        case 0: return " (Originally Performed by \(owner))"
        case 1: return " (In the Style of \(owner))"
        default: return ""
        }
    }

    /// An addition to a title that does not make it another recording.
    private func note(of entry: Entry, on service: MusicService) -> String {
        // The single also has an edit of the song, which many labels do not mark.
        if entry.edition == .single, hasUnmarkedEdit(entry.artist) { return "Album Version" }
        if entry.slot == 20, entry.artist % 7 == 2 {
            let film = phrase(
                draw(entry.song, .note), artist: entry.artist, spelled: spelling(entry.artist, service))
            return service == .apple || entry.artist % 14 == 2 ? "From “\(film)”" : "From \"\(film)\""
        }
        switch draw(Int(entry.number), .note) % 100 {
        case 0: return service == .spotify ? "Album Version" : ""
        case 1: return service == .apple ? "Album Version" : ""
        case 2 where entry.edition == .deluxe: return "Bonus Track"
        case 3 where ["Electronic", "Dance"].contains(genre(ofArtist: entry.artist)): return "Original Mix"
        default: return ""
        }
    }

    /// Whether the title of the single's edit is that of the album's recording: only the length distinguishes them.
    private func hasUnmarkedEdit(_ artist: Int) -> Bool {
        artist % 6 == 2 && ArtistKind(artist: artist) == .ordinary
    }

    /// The text for the version; empty if a service says nothing about it.
    private func versionText(of entry: Entry, on service: MusicService) -> String {
        let draw = draw(entry.recording, .versionText)
        let differs = service == .apple && chance(40, entry.recording, .versionSpelling)
        switch entry.version {
        case .original: return ""
        case .acoustic: return differs ? "Acoustic Version" : "Acoustic"
        case .live: return liveText(of: entry, on: service, differs: differs)
        case .remix:
            return "\(Vocabulary.remixers[Int(draw % UInt64(Vocabulary.remixers.count))]) Remix"
        case .extended: return differs ? "Extended Version" : "Extended Mix"
        case .spedUp: return differs ? "Sped Up Version" : "Sped Up"
        case .demo: return differs ? "Demo Version" : "Demo"
        case .radioEdit: return hasUnmarkedEdit(entry.artist) ? "" : differs ? "Edit" : "Radio Edit"
        case .clean: return differs ? "Clean Version" : "Clean"
        case .instrumental: return differs ? "Instrumental Version" : "Instrumental"
        case .remaster:
            // Apple often says it only in the album's title.
            if service == .apple, entry.artist % 8 == 5 { return "" }
            let year = remasterYear(ofArtist: entry.artist)
            if differs { return "Remastered" }
            return draw % 2 == 0 ? "Remastered \(year)" : "\(year) Remaster"
        case .karaoke: return "Karaoke Version"
        case .cover: return draw % 5 == 0 ? "Cover" : ""
        }
    }

    private func liveText(of entry: Entry, on service: MusicService, differs: Bool) -> String {
        // For some artists, only the title of the album says it, at both services or at Spotify.
        let isOnAlbum = entry.edition == .live && entry.slot >= 30
        if isOnAlbum, entry.artist % 12 == 9 || (entry.artist % 12 == 3 && service == .spotify) { return "" }
        guard !differs, draw(entry.recording, .versionText) % 2 == 0 else { return "Live" }
        return "Live at \(isOnAlbum ? place(entry.artist) : place(entry.recording))"
    }

    private func place(_ subject: Int) -> String {
        Vocabulary.places[Int(draw(subject, .place) % UInt64(Vocabulary.places.count))]
    }

    // MARK: Albums

    func title(of release: Release, on service: MusicService) -> String {
        let artist = release.artist
        func base(_ number: Int) -> String {
            phrase(
                draw(artist * 2 + number, .albumTitle), artist: artist, spelled: spelling(artist * 2 + number, service))
        }
        if release.edition == .album, ArtistKind(artist: artist) == .karaoke {
            return "Karaoke Nights, Vol. \(artist / 50 + 1)"
        }
        switch release.edition {
        case .album: return base(0)
        case .deluxe: return service == .apple ? base(0) + " (Deluxe Edition)" : base(0) + " (Deluxe)"
        case .second: return base(1)
        case .single:
            let entry = Entry(recording: artist * RecordingSlot.count, edition: .single)
            let title = title(ofSong: entry.song, on: service) + feature(of: entry, on: service)
            return service == .apple ? title + " - Single" : title
        case .live:
            return service == .apple ? "Live at \(place(artist))" : "Live At \(place(artist))"
        case .remastered:
            let year = remasterYear(ofArtist: artist)
            return service == .apple ? base(1) + " (Remastered)" : base(1) + " (\(year) Remaster)"
        case .best: return "The Best of " + name(ofArtist: artist, on: service)
        }
    }
}
