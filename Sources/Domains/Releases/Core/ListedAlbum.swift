import Foundation
import Identity
import Model

/// An album in an artist's list at a service, in the form in which it is compared and stored. Texts and numbers are
/// bounded, since services list what others entered.
struct ListedAlbum: Sendable, Equatable {
    let id: String
    /// As the service has it.
    let title: String
    /// The title without what Apple adds to it (`Harbor - Single`).
    let name: String
    let type: ReleaseType
    let artists: [String]
    let date: ReleaseDate?
    let trackCount: Int?
    let picture: Picture?
    let url: String?

    /// Equal for the editions of a release. It parses the title, which takes too long for a transaction that does it for
    /// many albums (``ReleaseAnswerPart``).
    var titleKey: String { ReleaseTitle(name).key }
}

extension ListedAlbum {
    private static let mostIDBytes = 200
    private static let longestTitle = 500
    private static let longestName = 200
    private static let mostArtists = 20
    private static let mostAddressBytes = 2_000
    private static let trackCounts = 1...10_000

    /// - Returns: `nil` for an album without an id or a title.
    init?(_ album: CatalogAlbum) {
        let title = Self.text(album.name, longest: Self.longestTitle)
        guard !title.isEmpty, !album.sourceID.isEmpty, album.sourceID.utf8.count <= Self.mostIDBytes,
            !album.sourceID.unicodeScalars.contains("\0")
        else { return nil }
        id = album.sourceID
        self.title = title
        let trackCount = album.trackCount.flatMap { Self.trackCounts.contains($0) ? $0 : nil }
        (name, type) = Self.classified(title, kind: album.kind, trackCount: trackCount)
        artists = album.artists.prefix(Self.mostArtists).map { Self.text($0.name, longest: Self.longestName) }
            .filter { !$0.isEmpty }
        date = album.releaseDate
        self.trackCount = trackCount
        picture = Picture(
            (Picture(sizes: album.pictures)?.offers ?? []).filter {
                $0.address.utf8.count <= Self.mostAddressBytes && !$0.address.contains(where: \.isNewline)
            })
        url = album.url.flatMap { $0.hasPrefix("https://") && $0.utf8.count <= Self.mostAddressBytes ? $0 : nil }
    }

    /// Apple names singles and EPs in their titles. Spotify calls both singles; one of four or more tracks is an EP, as
    /// on its pages.
    private static func classified(
        _ title: String, kind: CatalogAlbum.Kind?, trackCount: Int?
    ) -> (name: String, type: ReleaseType) {
        for (suffix, type) in [(" - Single", ReleaseType.single), (" - EP", .ep)] where title.hasSuffix(suffix) {
            let name = title.dropLast(suffix.count).trimmingCharacters(in: .whitespaces)
            if !name.isEmpty { return (name, type) }
        }
        if title.hasSuffix(" EP") { return (title, .ep) }
        switch kind {
        case .album: return (title, .album)
        case .compilation: return (title, .compilation)
        case .single: return (title, trackCount ?? 1 > 3 ? .ep : .single)
        case nil:
            guard let trackCount else { return (title, .album) }
            return (title, trackCount > 6 ? .album : trackCount > 3 ? .ep : .single)
        }
    }

    /// A text in one line, without control characters.
    private static func text(_ text: String, longest: Int) -> String {
        var view = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(longest) {
            view.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        return String(view).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
