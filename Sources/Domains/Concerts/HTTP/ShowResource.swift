import Concerts
import Gateway

/// A show in the API: the row of the search, with the path of its picture.
struct ShowResource: Encodable {
    let item: ConcertListItem
    let pictures: PicturePaths

    private enum CodingKeys: String, CodingKey { case picture }

    func encode(to encoder: any Encoder) throws {
        try item.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(pictures.path(of: item.artistImageURL), forKey: .picture)
    }
}
