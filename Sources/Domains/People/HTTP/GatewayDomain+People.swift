import Gateway
import Model
import People
import Storage
import Visibility

extension GatewayDomain {
    /// Following, requests, blocks, suggestions, and reports to administrators.
    ///
    /// - Parameters:
    ///   - reports: seals and opens what people report.
    ///   - suspend: suspends a person, in the transaction of the decision about a report.
    package static func people(
        _ services: GatewayServices, reports: ReportWriter, suspend: @escaping SuspendPerson
    ) -> GatewayDomain {
        let database = services.database
        let artists = TopArtistReader(database: database)
        services.queue.dispatcher.findFollowers { authors, people, reader in
            try reader.visibility.followers(of: authors, among: people)
        }
        return GatewayDomain(
            "people",
            routes: { routing in
                FollowRoutes(database: database).add(to: routing.signedIn)
                PeopleListRoutes(database: database, pictures: services.pictures).add(to: routing.signedIn)
                SuggestionRoutes(database: database, pictures: services.pictures).add(to: routing.signedIn)
                ReportRoutes(
                    database: database, credentials: services.credentials, writer: reports, suspend: suspend,
                    maximumBodyBytes: services.maximumBodyBytes
                ).add(to: routing.signedIn)
            },
            eventSources: [.people(services.pictures)],
            upkeepSteps: [
                UpkeepStep("readArtists", every: .seconds(600), startsAtOnce: true) { try await artists.run() },
                UpkeepStep(pruning: "moveFollowsAhead", every: pruneInterval, startsAtOnce: true) { time in
                    guard try await database.read({ try $0.people.hasFollowsAhead(at: time.moment) }) else { return }
                    try await database.deleteInSteps { try $0.people.moveFollowsAhead(to: time, limit: $1) }
                },
                UpkeepStep("pruneAcquaintances", every: pruneInterval, startsAtOnce: true) {
                    try await database.deleteInSteps { try $0.people.pruneAcquaintances(limit: $1) }
                },
                UpkeepStep(pruning: "pruneReports", every: pruneInterval, startsAtOnce: true) { time in
                    try await database.deleteInBatches(at: time.before(PersonReport.retention)) {
                        try $0.people.pruneReports(madeBefore: $1, limit: $2)
                    }
                },
            ],
            pages: [
                SitePage("/people", module: "people/find.js", section: "profile"),
                SitePage("/people/following", module: "people/following.js", section: "profile"),
                SitePage("/people/followers", module: "people/followers.js", section: "profile"),
                SitePage("/people/requests", module: "people/requests.js", section: "profile"),
                SitePage("/people/blocked", module: "people/blocked.js", section: "profile"),
                SitePage("/users/:username", module: "people/person.js", section: "profile"),
                SitePage("/operations/reports", module: "operations/reports.js", section: "operations"),
            ],
            feedItemSources: [.follows(services.pictures)])
    }
}
