import Model

/// How far an artist's list at a service was read.
package struct ReleaseReading: Sendable, Equatable {
    /// The catalog's country; empty for a service that has one catalog.
    package let country: String
    /// The artist's id at the service; `nil` if it has no artist of the name.
    package let artistID: String?
    /// Whether the artist was found by the name alone. Such an id gives way to that of a person's list; of two people
    /// with different artists of one name, the first decides.
    package let isByName: Bool
    /// The length of the list, as the service reported it.
    package let total: Int?
    package let checkedAt: Timestamp
    /// When the whole list was last read; `nil` if it never was.
    package let completeAt: Timestamp?

    /// How long the first page alone is read, if it shows no change.
    static let completeFor = Duration.seconds(7 * 86_400)
    /// How long an artist whom a service does not have is not searched for again.
    static let absentFor = Duration.seconds(7 * 86_400)

    /// Whether the list has to be read: once in a day (UTC), whoever wants the artist.
    ///
    /// - Parameter artistID: the id that people's lists have now; `nil` if they have none.
    func isDue(country: String, artistID known: String?, now: Timestamp) -> Bool {
        // A time in the future is from a clock that was ahead.
        guard self.country == country, checkedAt <= now else { return true }
        if let known, known != artistID, isByName || artistID == nil { return true }
        if artistID == nil { return checkedAt.advanced(by: Self.absentFor) <= now }
        return ReleaseNews.day(of: checkedAt) < ReleaseNews.day(of: now)
    }
}

/// What a service answered about an artist's albums.
struct ReleaseAnswer: Sendable {
    let source: MusicSource
    let country: String
    /// `nil` if the service has no artist of the name.
    var artistID: String?
    var isByName = false
    var albums: [ListedAlbum] = []
    var total: Int?
    /// Whether the albums are the whole list.
    var isComplete = false

    /// The answer in the parts in which it is recorded, at least one.
    var parts: [ReleaseAnswerPart] {
        let keyed = albums.map { ReleaseAnswerPart.Entry(album: $0, titleKey: $0.titleKey) }
        let starts = Array(stride(from: 0, to: max(keyed.count, 1), by: ReleaseAnswerPart.size))
        return starts.map { start in
            let end = min(start + ReleaseAnswerPart.size, keyed.count)
            return ReleaseAnswerPart(answer: self, entries: keyed[start..<end], isLast: start == starts.last)
        }
    }
}

/// The albums of an answer that one transaction records, with what takes long computed before it.
struct ReleaseAnswerPart: Sendable {
    /// An artist may have a thousand albums, each of which takes some ten statements.
    static let size = 50

    struct Entry: Sendable {
        let album: ListedAlbum
        let titleKey: String
    }

    let answer: ReleaseAnswer
    let entries: ArraySlice<Entry>
    /// The last part also records how far the list was read. Until then the reading is what it was before the answer, so
    /// that all parts mean the same by news, and an answer that is interrupted is asked for again.
    let isLast: Bool
}
