import Model

extension ConcertAttraction {
    init(_ response: AttractionResponse) {
        let classification = response.classifications.preferred
        let links = response.externalLinks.filter { !$0.value.isEmpty }
        self.init(
            id: response.id, name: response.name, aliases: response.aliases,
            imageURL: ImageResponse.best(of: response.images), segment: classification?.segment,
            genre: classification?.genre,
            spotifyIDs: links["spotify", default: []].compactMap(\.spotifyArtistID),
            musicBrainzIDs: links["musicbrainz", default: []].compactMap { $0.id?.lowercased() },
            externalLinkCount: links.count, upcomingEventCount: response.upcomingEventTotal)
    }
}

extension ExternalLinkResponse {
    /// The id in `https://open.spotify.com/artist/<id>?…` or `spotify:artist:<id>`.
    fileprivate var spotifyArtistID: String? {
        guard let text = url ?? id else { return nil }
        let parts = text.split { "/:?#".contains($0) }
        guard let marker = parts.lastIndex(of: "artist"), parts.indices.contains(marker + 1) else { return nil }
        return String(parts[marker + 1])
    }
}
