/// When tickets of an event go on sale; derived from its id.
struct Sales {
    /// The dates that the real service writes if nobody entered one.
    static let placeholders = ["1900-01-01T06:00:00Z", "1900-01-01T18:00:00Z"]

    /// Meaningless while ``toBeAnnounced``.
    var opens: String
    var closes: String?
    var toBeAnnounced: Bool
    var hasPresale: Bool

    init(event: Event, today: LocalDay) {
        var numbers = SeededGenerator(seed: 0, stream: event.id)
        let draw = numbers.number(in: 0...99)
        toBeAnnounced = draw == 0
        if draw < 18 {
            opens = numbers.pick(Self.placeholders)
        } else {
            opens = "\(today + -numbers.number(in: 5...200))T\(numbers.pick(["08", "09", "15"])):00:00Z"
        }
        closes = event.day.map { "\($0)T23:00:00Z" }
        hasPresale = numbers.chance(50)
        if let day = event.saleDay { (opens, toBeAnnounced) = ("\(day)T09:00:00Z", false) }
    }
}
