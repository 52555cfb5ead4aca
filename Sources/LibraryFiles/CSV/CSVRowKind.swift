/// What a row of a table is, where a column says so.
enum CSVRowKind: Equatable {
    case song
    /// A song that the person likes, which is in their library whatever list it is named with.
    case favorite
    case entry(FilePlaylist.Entry.Kind)
    /// With the noun, for people.
    case other(String)

    /// - Parameter text: of the column: TuneMyMusic's, Google's, iTunes' and Backline's own words, and the words for
    ///   albums and artists in the languages of ``CSVHeads``.
    init(_ text: String?) {
        let text = CSVFact.normalized(text ?? "")
        if let kind = FilePlaylist.Entry.Kind(rawValue: text) {
            self = kind == .track ? .song : .entry(kind)
            return
        }
        self =
            switch text {
            case _ where Self.favorites.contains(text): .favorite
            case "albums",
                _ where CSVFact.album.isNamed(by: text): .other("an album")
            case "artists",
                _ where CSVFact.artist.isNamed(by: text): .other("an artist")
            case "podcast", "show": .other("a podcast")
            case "podcastepisode": .other("an episode")
            case "audiobook": .other("an audiobook")
            case "video", "musicvideo",
                _ where text.hasSuffix("videofile"): .other("a video")
            case "station", "radio", "radiostation": .other("a station")
            default: .song
            }
    }

    private static let favorites: Set<String> = [
        "favorite", "favorites", "favourite", "favourites", "favoritesong", "favouritesong", "favoritesongs",
        "favouritesongs", "favoritetrack", "favouritetrack", "liked", "like", "likes", "likedsong", "likedsongs",
        "likedtrack",
        "likedtracks", "loved", "love", "lovedsong", "lovedtrack", "lovedtracks", "saved", "savedsong", "savedtrack",
        "starred",
        "favorit", "favoriten", "favori", "favoris", "favorito", "favoritos", "preferito", "preferiti", "favoriet",
        "favorieten", "ulubione", "избранное", "お気に入り", "收藏", "좋아요",
    ]
}
