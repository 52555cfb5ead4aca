/// What a row of a table is, if a column says so.
enum CSVRowKind: Equatable {
    case song
    /// A song that the person likes. It is in their library, whichever list the row names.
    case favorite
    case entry(FilePlaylist.Entry.Kind)
    /// Something else, with the noun that people read.
    case other(String)

    /// - Parameter text: the column's text: the words of TuneMyMusic, Google, iTunes and Backline, and the words for
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
                _ where CSVFact.album.isNamed(by: text):
                .other("an album")
            case "artists",
                _ where CSVFact.artist.isNamed(by: text):
                .other("an artist")
            case "podcast", "show": .other("a podcast")
            case "podcastepisode": .other("an episode")
            case "audiobook": .other("an audiobook")
            case "video", "musicvideo",
                _ where text.hasSuffix("videofile"):
                .other("a video")
            case "station", "radio", "radiostation": .other("a station")
            default: .song
            }
    }

    /// Why a row of another program's file is not a song, according to what it says that it is; `nil` for a song.
    static func refusal(of text: String?) -> String? {
        switch CSVRowKind(text) {
        case .song, .favorite: nil
        case .entry(let kind): "an entry of type “\(kind.rawValue)” is not a song"
        case .other(let noun): "\(noun) is not a song"
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
