import Model
import Storage

/// The picture of an artist whose concerts were looked up.
package enum ArtistPicture {
    /// How many of the artist's events are searched for a picture. Nearly always the first one has it.
    private static let eventLimit = 3

    /// - Returns: `nil` when there is no picture, or no lookup has found the artist's attraction yet.
    package static func url(of artist: RankedArtist, in reader: some SQLReader) throws -> String? {
        let key = ConcertSearches.key(ofArtist: artist.name, spotifyID: artist.spotify?.id)
        guard let attraction = try reader.concerts.target(key: key)?.attractionID else { return nil }
        for event in try reader.concerts.events(targetKey: key, limit: eventLimit) {
            let bill = event.attractions
            if let url = bill.first(where: { $0.id == attraction })?.imageURL { return url }
        }
        return nil
    }
}
