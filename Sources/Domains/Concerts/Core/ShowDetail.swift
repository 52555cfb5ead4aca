import Model
import Storage

/// A show with all that is known of it.
package struct ShowDetail: Sendable {
    /// As in the results of a search, without what depends on a person.
    package let item: ConcertListItem
    /// The listing that represents the show.
    package let event: ConcertEvent
    /// All performers, as sellers list them: usually the headliner first.
    package let bill: [ConcertEvent.Performer]
    package let history: ShowHistory

    /// The most artists and areas whose events are read for the other listings of the show.
    private static let subjectLimit = 8

    /// - Parameters:
    ///   - id: of the show, or of another listing of it.
    ///   - homeCity: the city whose shows are marked.
    /// - Returns: `nil` when no lookup has found it, or when it is neither a show nor an extra of one.
    package init?(id: String, homeCity: HomeCity?, cityNames: CityNames, in reader: some SQLReader) throws {
        guard let (event, history) = try reader.concerts.event(id: id) else { return nil }
        let row = try Self.row(of: event, cityNames: cityNames, in: reader)
        if let main = row?.event, main.id != event.id, let known = try reader.concerts.event(id: main.id) {
            (self.event, self.history) = (known.event, known.history)
        } else {
            (self.event, self.history) = (event, history)
        }
        bill = row?.bill ?? self.event.attractions
        item = ConcertListItem(
            row ?? Self.row(alone: self.event, cityNames: cityNames), homeCity: homeCity, cityNames: cityNames)
    }

    /// The row of an event that no artist and no area has any longer.
    private static func row(alone event: ConcertEvent, cityNames: CityNames) -> ShowRow {
        var places = VenueKeys(names: cityNames)
        return ShowRow(
            Show(listings: [EventMatch((event: event, artists: []), &places)]), attractionIDs: [:])
    }

    /// The row that has the event among its listings.
    private static func row(
        of event: ConcertEvent, cityNames: CityNames, in reader: some SQLReader
    ) throws -> ShowRow? {
        let keys = try reader.concerts.subjectKeys(ofEvent: event.id, limit: subjectLimit)
        // An artist has fewer events than an area.
        let artists = keys.filter { !$0.hasPrefix("nearby:") }
        let read = artists.isEmpty ? Array(keys.prefix(1)) : artists
        let sources = try read.map {
            ShowGrouping.Source(artist: nil, events: try reader.concerts.events(targetKey: $0))
        }
        let grouping = ShowGrouping(sources, options: .init(includesCancelled: true, cityNames: cityNames))
        return grouping.rows.first { row in
            ([row.event] + row.duplicates + row.extras + row.duplicateExtras).contains { $0.id == event.id }
        }
    }
}
