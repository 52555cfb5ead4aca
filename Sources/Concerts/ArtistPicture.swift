import Model
import Storage

/// The picture of an artist whose concerts were looked up.
package enum ArtistPicture {
    /// How many of the artist's events are looked through: nearly always the first one names the picture.
    private static let eventLimit = 3

    /// - Returns: `nil` until a search has found out who the artist is at Ticketmaster, or when there is no picture.
    package static func url(ofArtist name: String, in reader: some SQLReader) throws -> String? {
        let key = ConcertSearches.key(ofArtist: name)
        guard let attraction = try reader.concerts.subject(key: key)?.attractionID else { return nil }
        for event in try reader.concerts.events(subjectKey: key, limit: eventLimit) {
            let bill = event.attractions
            if let url = bill.first(where: { $0.id == attraction })?.imageURL { return url }
        }
        return nil
    }
}
