import Identity
import Model
import Storage

/// Makes a blend: it reads what two people contribute, chooses songs in a fair order, and makes sure that each person
/// can play them on their own service (docs/curation.md).
package struct BlendRun: Sendable {
    /// How many songs may be looked up for each song that is wanted.
    private static let mostLookups = 2

    let list: CuratedList
    let database: Database
    /// The ids of the two people.
    private let people: (asker: String, partner: String)
    private let side: @Sendable (_ userID: String, _ seed: Int) async throws -> BlendSide
    private let find: @Sendable (_ userID: String, _ title: String, _ artist: String) async throws -> SongMatch?
    private let report: @Sendable (_ done: Int, _ total: Int) -> Void
    private let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - partner: the id of the other person.
    ///   - side: reads what a person contributes.
    ///   - find: looks up a song in the catalog of a person's service; returns `nil` for a person without a service.
    package init(
        _ list: CuratedList, partner: String, database: Database,
        side: @escaping @Sendable (_ userID: String, _ seed: Int) async throws -> BlendSide,
        find: @escaping @Sendable (_ userID: String, _ title: String, _ artist: String) async throws -> SongMatch?,
        report: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in },
        now: @escaping @Sendable () -> Timestamp = { .now() }
    ) {
        (self.list, self.database, people) = (list, database, (list.userID, partner))
        (self.side, self.find, self.report, self.now) = (side, find, report, now)
    }

    /// Makes the blend.
    ///
    /// - Returns: the list of the person who asked, and that of the partner.
    /// - Throws: ``CurationError`` if they no longer both agree; `ProviderFailure` if waiting helps.
    package func run() async throws -> (asker: ListContent, partner: ListContent) {
        let (asker, partner) = people
        guard try await database.read({ try $0.curation.areBlending(asker, partner) }) else {
            throw CurationError.notAgreed
        }
        // Use an order that does not depend on who asks.
        let isSwapped = partner < asker
        let (one, other) = isSwapped ? (partner, asker) : (asker, partner)
        let seed = list.request.seed
        let sides = (first: try await side(one, seed), second: try await side(other, seed))
        let pool = BlendPool(sides.first, sides.second, rules: IdentityRules())
        var chosen: [BlendPool.Song] = []
        var artists = ArtistShares(size: list.request.size)
        var lookups = 0
        var order = pool.fairOrder(seed: seed)
        while chosen.count < list.request.size, let song = order.next() {
            // Each song is chosen among all that are left, and other jobs need the thread as well.
            try Task.checkCancellation()
            await Task.yield()
            guard artists.hasRoom(for: song.artists) else { continue }
            report(chosen.count, list.request.size)
            var song = song
            if song.references.first == nil || song.references.second == nil {
                guard lookups < list.request.size * Self.mostLookups else { continue }
                lookups += 1
                if song.references.first == nil {
                    song.references.first = try await lookUp(song.candidate, for: one)
                }
                if song.references.first != nil, song.references.second == nil {
                    song.references.second = try await lookUp(song.candidate, for: other)
                }
            }
            if song.references.first != nil, song.references.second != nil {
                chosen.append(song)
                artists.add(song.artists)
            }
        }
        while let last = chosen.lastIndex(where: { artists.haveTooMuch($0.artists) }) {
            artists.remove(chosen.remove(at: last).artists)
        }
        let moment = now()
        func finished(_ userID: String, isFirst: Bool) -> ListContent {
            let side = isFirst ? sides.first : sides.second
            return ListContent(
                id: userID == asker ? list.id : UUIDv7.next(), userID: userID,
                tracks: chosen.map { CuratedTrack($0, isFirst: isFirst, side) }, dropped: [], at: moment)
        }
        return (finished(asker, isFirst: !isSwapped), finished(partner, isFirst: isSwapped))
    }

    private func lookUp(_ song: CandidateSong, for userID: String) async throws -> String? {
        do {
            return try await find(userID, song.title, song.artist)?.reference
        } catch let failure as ProviderFailure where failure.recovery != .retryAt {
            return nil
        }
    }
}

extension CuratedTrack {
    /// A song as one of the two people sees it. The other person's numbers are not shown, and their name is added to
    /// answers (``naming(_:)``).
    fileprivate init(_ song: BlendPool.Song, isFirst: Bool, _ side: BlendSide) {
        let (own, other) = isFirst ? (song.has.first, song.has.second) : (song.has.second, song.has.first)
        let reference = (isFirst ? song.references.first : song.references.second) ?? ""
        var evidence: [SongEvidence] = []
        if own, other {
            evidence.append(.sharedSong)
        } else {
            evidence.append(own ? .ownSong : .partnerHas)
        }
        if !own, let artist = side.artists[song.candidate.artist] {
            let songs = artist.songs == 1 ? "a song" : "\(artist.songs) songs"
            evidence.append(SongEvidence(.knownArtist, "You have \(songs) by \(artist.name)."))
        }
        let origin: Origin =
            if own { .library } else {
                reference.hasPrefix("spotify:") ? .spotify : reference.hasPrefix("appleMusic:") ? .appleMusic : .library
            }
        self.init(
            reference: reference, title: song.candidate.title, artist: song.candidate.artist,
            album: song.candidate.album, durationMs: song.candidate.durationMs, origin: origin,
            reason: evidence.map(\.text).joined(separator: " "), evidence: evidence,
            attribution: own && other ? .both : own ? .you : .partner)
    }
}
