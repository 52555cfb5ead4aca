import Visibility

extension ActLimit {
    /// The limits of follows and requests to follow. An unfollow gives nothing back.
    package static let follows = [
        follows("followsPerHour", count: 100, per: .seconds(3_600)),
        follows("followsPerDay", count: 400, per: .seconds(86_400)),
    ]

    private static func follows(_ name: String, count: Int, per period: Duration) -> ActLimit {
        ActLimit(name, count: count, per: period, act: "follow", counted: "people", again: "follow more people")
    }

    /// Reports, and other words in place of those of a report that is not decided.
    package static let reports = [
        ActLimit(
            "reportsPerDay", count: 10, per: .seconds(86_400), act: "report people", again: "report somebody again")
    ]
}
