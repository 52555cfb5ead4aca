/// A song in a list that a model writes: by its number among the candidates, or by title and artist.
struct GeneratedSongDocument: Encodable {
    var number: Int?
    var title: String?
    var artist: String?
    /// The reasons for the song.
    var why: [String]
}

/// A plan that a model writes.
struct GeneratedPlanDocument: Encodable {
    var genres: [String]
    /// The numbers of the artists.
    var artists: [Int]
    let from = 1980
    let to = 1999
    var order: String
}
