import Visibility

extension ActLimit {
    /// The limits of follows and requests to follow. An unfollow gives nothing back.
    package static let follows = [
        ActLimit("followsPerHour", count: 100, per: .seconds(3_600)),
        ActLimit("followsPerDay", count: 400, per: .seconds(86_400)),
    ]

    package static let reports = [ActLimit("reportsPerDay", count: 10, per: .seconds(86_400))]
}
