import Gateway
import Messages
import Model
import Storage
import Vault

extension GatewayDomain {
    /// What two people write to each other, and songs that they send each other.
    ///
    /// - Parameters:
    ///   - textKeys: seal and open what people write.
    ///   - songs: finds and writes the songs of messages.
    ///   - report: reports a message to the administrators.
    package static func messages(
        _ services: GatewayServices, textKeys: CurrentTextKeys, songs: MessageSongs, report: @escaping ReportMessage
    ) -> GatewayDomain {
        let writer = MessageWriter(pictures: services.pictures, songs: songs, textKeys: textKeys)
        let parts = MessageParts(database: services.database, writer: writer, textKeys: textKeys, report: report)
        services.queue.dispatcher.findFollowers { authors, people, reader in
            try reader.messages.correspondents(of: authors, among: people)
        }
        return GatewayDomain(
            "messages",
            routes: { routing in
                let limit = services.maximumBodyBytes
                ThreadRoutes(parts: parts, maximumBodyBytes: limit).add(to: routing.signedIn)
                MessageRoutes(parts: parts, songs: songs).add(to: routing.signedIn)
                RecipientRoutes(parts: parts, maximumBodyBytes: limit).add(to: routing.signedIn)
            },
            eventSources: [.messages(writer), .threads(writer)],
            pages: [
                SitePage("/threads", module: "messages/threads.js", section: "feed"),
                SitePage("/threads/requests", module: "messages/requests.js", section: "feed"),
                SitePage("/threads/:id", module: "messages/thread.js", section: "feed"),
                SitePage("/profile/messages", module: "messages/settings.js", section: "profile"),
            ],
            feedItemSources: [.sentSongs(writer)])
    }
}
