import Identity
import Model

/// Orders candidates for a list without a model: by what the prompt says, what the list is based on, and what the
/// person listens to, with variety. The same seed gives the same order.
package struct SongRanking: Sendable {
    let analysis: PromptAnalysis
    let request: CurationRequest
    let context: CurationContext
    private let plan: CurationPlan?
    private let mostPlays: Int
    private let seedArtists: [String: String]

    /// - Parameter plan: what a model has asked for; `nil` without a plan.
    package init(_ request: CurationRequest, _ context: CurationContext, plan: CurationPlan? = nil) {
        self.request = request
        self.plan = plan
        self.context = context
        analysis = PromptAnalysis(request.wish)
        mostPlays = max(1, context.candidates.map(\.plays).max() ?? 1)
        var artists: [String: String] = [:]
        for seed in context.seeds where artists[seed.artistKey] == nil { artists[seed.artistKey] = seed.title }
        seedArtists = artists
    }

    /// The candidates that the request allows, the most fitting first.
    package func ordered() -> [CandidateSong] {
        allowed().map { (song: $0, score: score(of: $0)) }
            .sorted { ($1.score, $0.song.reference) < ($0.score, $1.song.reference) }.map(\.song)
    }

    /// The first songs of the order with variety: each is the best of the remaining ones, reduced by its similarity to
    /// those before it (maximal marginal relevance, Carbonell and Goldstein 1998).
    package func varied(_ count: Int) -> [CandidateSong] {
        struct Rest {
            var song: CandidateSong
            var score: Double
            var likeness = 0.0
        }
        // Nothing would be chosen from a long tail.
        var rest = ordered().prefix(max(200, count * 5)).map { Rest(song: $0, score: score(of: $0)) }
        var chosen: [CandidateSong] = []
        while chosen.count < count, !rest.isEmpty {
            var best = 0
            for index in rest.indices
            where Self.value(rest[index].score, rest[index].likeness)
                > Self.value(rest[best].score, rest[best].likeness)
            {
                best = index
            }
            let song = rest.remove(at: best).song
            chosen.append(song)
            for index in rest.indices {
                rest[index].likeness = max(rest[index].likeness, Self.likeness(rest[index].song, song))
            }
        }
        return chosen
    }

    /// Combines relevance and variety.
    private static func value(_ score: Double, _ likeness: Double) -> Double { score * 2 - likeness * 2 }

    private static func likeness(_ one: CandidateSong, _ other: CandidateSong) -> Double {
        if !one.album.isEmpty, one.album == other.album, one.artist == other.artist { return 0.9 }
        if one.artist == other.artist { return 0.7 }
        return one.genres.contains(where: other.genres.contains) ? 0.2 : 0
    }

    /// The versions that the prompt asks for, or that occur among the songs that the list is based on.
    var requestedVersions: Set<NonOriginalVersion> {
        context.seeds.reduce(into: NonOriginalVersion.named(in: analysis.wanted)) {
            $0.formUnion(IdentityProfile($1.record).nonOriginalVersions)
        }
    }

    // MARK: Scores

    private func allowed() -> [CandidateSong] {
        let names = request.excludedArtists + analysis.unwantedNames
        let excluded = CreditedArtists(names)
        let only = OnlyArtists(request.wish, among: context.candidates.map(\.artist))
        let tracks = Set(request.excludedTracks).union(context.excluded).union(context.dismissed)
            .union(context.heard).union(context.present)
        return context.candidates.filter { song in
            !tracks.contains(song.reference) && !(analysis.wantsUnplayed && song.plays > 0)
                && !analysis.rejects(song.artist) && !song.genres.contains(where: analysis.rejects(genre:))
                && (names.isEmpty || !excluded.areCredited(on: IdentityProfile(song.record)))
                && (only.isEmpty || only.allow(IdentityProfile(song.record)))
        }
    }

    /// The weights were chosen so that requested songs come before liked ones.
    private func score(of song: CandidateSong) -> Double {
        var score = 0.0
        if analysis.names(song.artist) { score += 3 }
        if seedArtists[song.artistKey] != nil { score += 1 }
        score += 2.5 * song.connection
        // Less than the artist, who is the same on most albums: the listener did not choose the songs of an album.
        score += 0.5 * song.albumConnection
        if let plan {
            if song.genres.contains(where: plan.genres.contains) { score += 3 }
            if let year = song.year, plan.years?.contains(year) ?? false { score += 3 }
            if plan.artists.contains(song.artist) { score += 3 }
        }
        score += 2 * (song.genres.map { analysis.agreement(withGenre: $0) }.max() ?? 0)
        if let year = song.year, analysis.years.contains(where: { $0.contains(year) }) { score += 2 }
        if !analysis.years.isEmpty, song.year == nil { score -= 0.5 }
        score += 0.6 * logarithm(1 + song.plays) / logarithm(1 + mostPlays)
        // As much as the most played song: less than what is asked for.
        if song.isLoved { score += 0.6 }
        return score + 0.4 * StableJitter.of(song.reference, seed: request.seed)
    }

    private func logarithm(_ number: Int) -> Double {
        // The binary logarithm of a whole number, linear between powers of two: Foundation's differs by platform.
        let bits = Int.bitWidth - 1 - number.leadingZeroBitCount
        return Double(bits) + Double(number) / Double(1 << bits) - 1
    }

    // MARK: Evidence

    /// The known facts in favor of a song, the strongest first.
    package func evidence(for song: CandidateSong, now: Timestamp) -> [SongEvidence] {
        var found: [SongEvidence] = []
        if analysis.names(song.artist) {
            found.append(SongEvidence(.artistAsked, "It is by \(song.artist), whom you asked for."))
        }
        if let title = seedArtists[song.artistKey] {
            found.append(SongEvidence(.sharedArtist, "It is by the same artist as “\(title)”."))
        }
        if song.sharedPlaylists > 0 {
            let lists =
                song.sharedPlaylists == 1 ? "one of your playlists" : "\(song.sharedPlaylists) of your playlists"
            found.append(
                SongEvidence(.sharedPlaylists, "It is in \(lists) together with songs that this list is based on."))
        }
        if song.sharedSessions > 0 {
            let often = song.sharedSessions == 1 ? "once" : "\(song.sharedSessions) times"
            found.append(
                SongEvidence(
                    .heardTogether, "You have heard it \(often) together with songs that this list is based on."))
        }
        if song.sharedAlbums > 0 {
            found.append(
                SongEvidence(.sharedAlbum, "It is on an album together with songs that this list is based on."))
        }
        if let genre = song.genres.first(where: { analysis.agreement(withGenre: $0) > 0 }) {
            found.append(SongEvidence(.genre, "Its genre is \(genre)."))
        }
        if let year = song.year, analysis.years.contains(where: { $0.contains(year) }) {
            found.append(SongEvidence(.years, "It is from \(year)."))
        }
        if song.isLoved { found.append(SongEvidence(.loved, "You have marked it as loved.")) }
        if song.plays >= 5 { found.append(SongEvidence(.oftenPlayed, "You have played it \(song.plays) times.")) }
        if song.origin == .library, song.plays == 0 {
            found.append(SongEvidence(.neverPlayed, "You have it, but no plays of it are known."))
        }
        if let addedAt = song.addedAt, addedAt.duration(to: now) < .seconds(30 * 86_400) {
            found.append(SongEvidence(.recentlyAdded, "You added it in the last 30 days."))
        }
        if let artist = context.artists[song.artist], artist.songs >= 3 {
            found.append(SongEvidence(.knownArtist, "You have \(artist.songs) songs by \(artist.name)."))
        }
        switch song.origin {
        case .library: found.append(SongEvidence(.inLibrary, "It is in your library."))
        case .spotify: found.append(SongEvidence(.discovered, "It is not in your library. Spotify has it."))
        case .appleMusic: found.append(SongEvidence(.discovered, "It is not in your library. Apple Music has it."))
        }
        return found
    }
}
