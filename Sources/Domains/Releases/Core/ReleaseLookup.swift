import Model

/// Reads an artist's albums from one service.
///
/// Once a week, and whenever the first page shows a change, the whole list is read: services order it neither by date
/// nor by when an album was added. Otherwise the first page is enough, which has the length of the list (Spotify), or is
/// the whole list (Apple Music, for all but a few artists).
struct ReleaseLookup: Sendable {
    let catalog: ReleaseCatalog
    /// Folds names; equal keys mean the same name.
    let key: @Sendable (_ name: String) -> String

    /// How many artists with the same name are compared by their albums.
    private static let mostNamesakes = 3

    /// What is known of an artist before the lookup.
    struct Known: Sendable {
        /// `nil` before the first reading.
        var reading: ReleaseReading?
        /// The keys of the titles in the artist's lists at all services.
        var titleKeys: Set<String> = []
        /// The ids of the artist's albums at this service.
        var albumIDs: Set<String> = []
    }

    /// - Throws: ``ProviderFailure``.
    func run(_ artist: WantedArtist, known: Known, now: Timestamp) async throws -> ReleaseAnswer {
        let reading = known.reading.flatMap { $0.country == catalog.country ? $0 : nil }
        let listed = artist.ids[catalog.source]
        let decided = reading.flatMap { $0.isByName ? listed ?? $0.artistID : $0.artistID } ?? listed
        if let id = decided {
            let isSame = id == reading?.artistID
            if var answer = try await list(id, reading: isSame ? reading : nil, known: known, now: now) {
                answer.isByName = isSame && reading?.isByName == true
                return answer
            }
        }
        // The service no longer has the artist under the id, or it is not known.
        let namesakes = try await catalog.find(artist.name).filter { key($0.name) == artist.key }
        guard let id = try await choose(among: namesakes, titleKeys: known.titleKeys) else {
            return ReleaseAnswer(source: catalog.source, country: catalog.country)
        }
        let isSame = id == reading?.artistID
        guard var answer = try await list(id, reading: isSame ? reading : nil, known: known, now: now) else {
            return ReleaseAnswer(source: catalog.source, country: catalog.country)
        }
        // An id of a person's list that the service does not know is not tried every day.
        answer.isByName = listed == nil
        return answer
    }

    /// The one of several artists with the same name whose albums are known from another service; without such a
    /// difference the service's best match.
    private func choose(among artists: [CatalogArtist], titleKeys: Set<String>) async throws -> String? {
        guard artists.count > 1, !titleKeys.isEmpty else { return artists.first?.sourceID }
        var best: (id: String, shared: Int)?
        for artist in artists.prefix(Self.mostNamesakes) {
            let page = try await catalog.albums(artist.sourceID, 0)
            let keys = Set((page?.items ?? []).compactMap { ListedAlbum($0)?.titleKey })
            let shared = keys.intersection(titleKeys).count
            if shared > best?.shared ?? -1 { best = (artist.sourceID, shared) }
        }
        return best?.id
    }

    /// - Parameter reading: the last reading of this list; `nil` before the first.
    /// - Returns: `nil` for an unknown artist.
    private func list(
        _ id: String, reading: ReleaseReading?, known: Known, now: Timestamp
    ) async throws -> ReleaseAnswer? {
        guard let first = try await catalog.albums(id, 0) else { return nil }
        var answer = ReleaseAnswer(source: catalog.source, country: catalog.country, artistID: id)
        answer.total = first.total.flatMap { (0...1_000_000).contains($0) ? $0 : nil }
        var seen: Set<String> = []
        func add(_ page: SourcePage<CatalogAlbum>) {
            answer.albums += page.items.compactMap { ListedAlbum($0) }.filter { seen.insert($0.id).inserted }
        }
        add(first)
        if let total = answer.total, first.nextOffset != nil, total == reading?.total,
            seen.isSubset(of: known.albumIDs), let completeAt = reading?.completeAt, completeAt <= now,
            completeAt.advanced(by: ReleaseReading.completeFor) > now
        {
            return answer
        }
        var (page, pages, offset) = (first, 1, 0)
        while let next = page.nextOffset, next > offset, pages < catalog.mostPages {
            guard let following = try await catalog.albums(id, next) else { return nil }
            (page, pages, offset) = (following, pages + 1, next)
            add(page)
        }
        answer.isComplete = page.nextOffset == nil
        return answer
    }
}
