import Feed
import Gateway
import Model
import Storage
import Timeline

extension GatewayDomain {
    /// What is new from the people a person follows, in their city and from their artists.
    package static func feed(_ services: GatewayServices) -> GatewayDomain {
        let (database, sources) = (services.database, services.feeds)
        services.queue.dispatcher.findFollowers { authors, people, reader in
            try reader.timeline.readers(of: authors, among: people)
        }
        return GatewayDomain(
            "feed",
            routes: { routing in
                FeedRoutes(queue: services.queue, sources: sources).add(to: routing.signedIn)
                FeedSettingRoutes(database: database, maximumBodyBytes: services.maximumBodyBytes)
                    .add(to: routing.signedIn)
                HiddenItemRoutes(database: database, sources: sources).add(to: routing.signedIn)
            },
            eventSources: [.feedItems(sources), .feedReadMarks, .feedRefreshes(sources)],
            upkeepSteps: [
                UpkeepStep(pruning: "pruneGoneItems", every: pruneInterval, startsAtOnce: true) { time in
                    try await database.deleteInBatches(at: time.before(goneItemRetention)) {
                        try $0.timeline.pruneGoneItems(before: $1, limit: $2)
                    }
                },
                UpkeepStep(pruning: "moveItemsAhead", every: pruneInterval, startsAtOnce: true) { time in
                    let isAnyAhead = try await database.read {
                        try $0.timeline.hasItemsAhead(at: time.moment) || $0.feed.hasMarksAhead(at: time.moment)
                    }
                    guard isAnyAhead else { return }
                    try await database.deleteInSteps { try $0.timeline.moveItemsAhead(to: time, limit: $1) }
                    try await database.deleteInSteps { try $0.feed.moveMarksAhead(to: time, limit: $1) }
                },
                UpkeepStep("pruneMovedItems", every: .seconds(86_400)) {
                    try await database.deleteInSteps { try $0.timeline.pruneMovedItems(limit: $1) }
                },
                UpkeepStep("pruneTopics", every: .seconds(86_400)) {
                    var last: TimelineAuthor?
                    repeat {
                        let after = last
                        let unused = try await database.read {
                            try $0.timeline.unusedTopics(after: after, limit: 500)
                        }
                        last = unused.last
                        guard !unused.topics.isEmpty else { continue }
                        try await database.deleteInSteps {
                            try $0.timeline.deleteUnused(unused.topics, limit: $1)
                        }
                    } while last != nil && !Task.isCancelled
                },
            ],
            pages: [
                SitePage("/", module: "site/feed.js", section: "feed"),
                SitePage("/feed", module: "site/feed.js", section: "feed"),
                SitePage("/feed/hidden", module: "feed/hidden-items.js", section: "feed"),
            ])
    }
}
