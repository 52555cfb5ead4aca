import CommandSupport
import Model

/// `GET /v1/artists`.
struct ArtistListAnswer: Decodable, Equatable {
    struct Artist: Decodable, Equatable {
        var id: String
        var name: String
        var rank: Int
    }

    var artists: [Artist]
    var capacity: Int

    /// Finds an artist by id, or else by folded name, or else by rank.
    ///
    /// - Throws: `CommandFailure` when there is none.
    func artist(called text: String) throws -> Artist {
        if let artist = artists.first(where: { $0.id == text }) { return artist }
        let words = FoldedText.words(of: text)
        if !words.isEmpty, let artist = artists.first(where: { FoldedText.words(of: $0.name) == words }) {
            return artist
        }
        if let rank = Int(text), let artist = artists.first(where: { $0.rank == rank }) { return artist }
        throw CommandFailure(
            description: "Your list has no artist '\(TextWidth.printable(text))'. "
                + "'backline artists list' shows the list.")
    }
}
