import Gateway
import Model
import Pictures
import Shares
import Storage
import Timeline
import Visibility

extension GatewayDomain {
    /// Songs that people share.
    ///
    /// - Parameters:
    ///   - pictures: the pictures that were fetched.
    ///   - previewHosts: the hosts from which pages may play audio.
    ///   - catalogTrack: finds a track of a service's catalog.
    ///   - sentSong: finds the song of a message.
    ///   - market: which catalog a person's connection sees.
    package static func shares(
        _ services: GatewayServices, pictures: PictureFolder, previewHosts: MediaHosts,
        catalogTrack: @escaping CatalogTrackLookup, sentSong: @escaping SentSongLookup,
        market: @escaping CatalogMarket
    ) -> GatewayDomain {
        let database = services.database
        let writer = ShareWriter(pictures: services.pictures, previewHosts: previewHosts)
        return GatewayDomain(
            "shares",
            routes: { routing in
                ShareRoutes(
                    database: database,
                    songs: ShareSongs(database: database, catalogTrack: catalogTrack, sentSong: sentSong),
                    writer: writer
                ).add(to: routing.signedIn)
                ShareOpeningRoutes(queue: services.queue, market: market, now: routing.now).add(to: routing.signedIn)
                ShareLinkRoutes(
                    database: database, address: services.address, maximumBodyBytes: services.maximumBodyBytes
                ).add(to: routing.signedIn)
                PublicShareRoutes(
                    database: database, pictures: pictures, previewHosts: previewHosts, proxies: services.proxies,
                    now: routing.now
                ).add(to: routing.open)
            },
            eventSources: [.shares(writer)],
            upkeepSteps: [
                UpkeepStep("removeReactions", every: .seconds(10), startsAtOnce: true) {
                    // Usually there is nothing to delete, and then no other write has to wait.
                    guard try await database.read({ try $0.shares.hasLeftReactions() }) else { return }
                    while !Task.isCancelled,
                        try await database.write({ try $0.shares.deleteLeftReactions(limit: reactionsAtOnce) }) > 0
                    {}
                },
                UpkeepStep(pruning: "pruneLinks", every: pruneInterval, startsAtOnce: true) { time in
                    _ = try await database.deleteInBatches(at: time) {
                        try $0.shares.pruneLinks(endedBefore: $1, limit: $2)
                    }
                },
            ],
            pages: [
                SitePage("/shares", module: "shares/own-shares.js", section: "profile"),
                SitePage("/shares/:id", module: "shares/share.js", section: "feed"),
            ],
            secretPaths: [PublicShareRoutes.prefix], feedItemSources: [.shares(writer)])
    }

    private static var reactionsAtOnce: Int { 200 }
}

extension EventSource {
    /// A person's own shares, and those to which they have reacted. What is sent is decided at the moment of sending.
    fileprivate static func shares(_ writer: ShareWriter) -> EventSource {
        EventSource(.share, topics: [.shares], goneKinds: [.itemsOf]) { reader, userID, after, limit in
            guard let viewer = try reader.visibility.viewer(userID: userID) else { return [] }
            let changes = try reader.shares.changes(for: viewer, after: after, limit: limit)
            let found = try reader.shares.shares(changes.map(\.id.number), for: viewer, now: .now())
            let documents = try writer.documents(of: Array(found.values), for: viewer, in: reader)
            return changes.map { change in
                guard let document = documents[change.id] else {
                    return Change(number: change.number, gone: .share, id: change.id.text)
                }
                return Change(number: change.number, id: change.id.text, data: document)
            }
        }
    }
}

extension FeedItemSource {
    /// The shares of feeds. Those of one person and day fold, never those of several people.
    fileprivate static func shares(_ writer: ShareWriter) -> FeedItemSource {
        FeedItemSource(.share) { _, _, ids in
            ids.reduce(into: [:]) { numbers, id in numbers[id] = ShareID(id)?.number }
        } contentsForMany: { reader, viewers, subjects in
            let found = try reader.shares.shares(subjects, for: viewers, now: .now())
            return try writer.seenContents(of: found, for: viewers, in: reader)
        } contents: { reader, viewer, subjects in
            let found = try reader.shares.shares(subjects, for: viewer, now: .now())
            let documents = try writer.documents(of: Array(found.values), for: viewer, in: reader)
            return found.compactMapValues { share in
                documents[share.id].map {
                    FeedContent(id: share.id.text, foldSource: share.sender.userID, json: $0)
                }
            }
        }
    }
}
