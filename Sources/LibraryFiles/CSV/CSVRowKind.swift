/// What a row of a table is, where a column says so.
enum CSVRowKind: Equatable {
    case song
    /// A song that the person likes, which is in their library whatever list it is named with.
    case favorite
    case entry(FilePlaylist.Entry.Kind)
    /// With the noun, for people.
    case other(String)

    /// - Parameter text: of the column, in English: TuneMyMusic's, Google's and Backline's own words.
    init(_ text: String?) {
        let text = CSVFact.normalized(text ?? "")
        if let kind = FilePlaylist.Entry.Kind(rawValue: text) {
            self = kind == .track ? .song : .entry(kind)
            return
        }
        self =
            switch text {
            case "favorite", "favourite", "liked", "like", "favoritesong", "likedsong": .favorite
            case "album": .other("an album")
            case "artist": .other("an artist")
            case "podcast", "show": .other("a podcast")
            case "podcastepisode": .other("an episode")
            case "audiobook": .other("an audiobook")
            case "video", "musicvideo": .other("a video")
            case "station", "radio", "radiostation": .other("a station")
            default: .song
            }
    }
}
