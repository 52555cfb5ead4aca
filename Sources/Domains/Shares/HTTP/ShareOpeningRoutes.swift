import Contracts
import Gateway
import HTTPTypes
import Hummingbird
import Jobs
import JobStorage
import Library
import Model
import Shares
import Storage
import Synchronization
import Visibility

/// The country whose catalog a person's connection to a service sees: `nil` for a connection that cannot be used, an
/// empty text where the country is not known.
package typealias CatalogMarket =
    @Sendable (_ source: MusicSource, _ userID: String, _ reader: ReadTransaction) throws -> String?

/// `GET /v1/shares/{id}/song`: where a person has a shared song, or can open it: in their library, and at their services.
///
/// A service whose id for the song is not known is searched in the background, once for everybody. Until that is done,
/// the link searches.
struct ShareOpeningRoutes: Sendable {
    let queue: JobQueue
    let market: CatalogMarket
    /// The clock of the limit.
    let now: @Sendable () -> MonotonicInstant
    private let asked = Asked()

    /// What people had searched for: each of it once an hour for a person, so that a search without an answer, such as
    /// with a connection that cannot be used, is not repeated whenever the person opens the share.
    private final class Asked: Sendable {
        let limiter = Mutex(RequestLimiter(requests: 1, per: .seconds(3_600)))
    }

    init(queue: JobQueue, market: @escaping CatalogMarket, now: @escaping @Sendable () -> MonotonicInstant) {
        (self.queue, self.market, self.now) = (queue, market, now)
    }

    func add(to group: RouterGroup<GatewayContext>) {
        group.askingUpstreams.get("shares/:id/song", use: open)
    }

    private struct Opening: Sendable {
        var track: LibraryID?
        var links: [ServiceLink] = []
        /// What has to be searched for.
        var unknown: [ShareMatchPayload] = []
    }

    @Sendable private func open(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (id, userID) = (try context.shareID, try context.userID)
        guard let opening = try await queue.database.read({ try opening(of: id, for: userID, in: $0) }) else {
            throw Problem.unknownShare
        }
        if !opening.unknown.isEmpty { try await find(opening.unknown, for: userID) }
        return .json(
            .ok,
            JSONWriter.object { json in
                json.member("library", opening.track?.text)
                json.member("sources") { json in
                    json.array(opening.links) { json, link in
                        json.object { json in
                            link.writeMembers(to: &json)
                            json.member("isSearch", link.id == nil)
                        }
                    }
                }
            })
    }

    private func opening(of id: ShareID, for userID: String, in reader: ReadTransaction) throws -> Opening? {
        let now = Timestamp.now()
        guard let viewer = try reader.visibility.viewer(userID: userID),
            let share = try reader.shares.share(id, for: viewer, now: now)
        else { return nil }
        let song = share.song
        var opening = Opening()
        for source in MusicSource.services where opening.track == nil {
            guard let id = song.id(at: source) else { continue }
            opening.track = try reader.tracks.track(ofCatalogID: id, at: source, userID: userID)
        }
        if opening.track == nil {
            opening.track = try reader.trackIdentity.track(sameAs: song.record, userID: userID)
        }
        for source in MusicSource.services {
            let market = try market(source, userID, reader)
            if let link = ServiceLink.links(to: song).first(where: { $0.source == source }),
                source == .spotify || market?.isEmpty != false || market?.lowercased() == song.apple?.country
            {
                opening.links.append(link)
                continue
            }
            let country = source == .spotify ? "" : market?.lowercased() ?? ""
            let match = try reader.shares.match(share.content, at: source, country: country, now: now)
            if let item = match?.item, let link = ServiceLink(item, at: source, country: country) {
                opening.links.append(link)
                continue
            }
            opening.links.append(ServiceLink(searchFor: song, at: source, country: country))
            // Nobody's connection is used for a person who has none, and Apple's catalogs differ by country.
            guard match == nil, let market, source == .spotify || !market.isEmpty else { continue }
            opening.unknown.append(ShareMatchPayload(content: share.content, source: source, country: country))
        }
        return opening
    }

    /// Has a worker search for songs, unless it is being done.
    private func find(_ payloads: [ShareMatchPayload], for userID: String) async throws {
        let open = try await queue.database.read { reader in
            try payloads.filter { try reader.jobs.holder(ofUniqueKey: $0.key, userID: SystemUser.id) == nil }
        }.filter { payload in
            asked.limiter.withLock { $0.admit("\(userID) \(payload.key)", at: now()) == .admitted }
        }
        guard !open.isEmpty else { return }
        try await queue.write { transaction, submissions in
            for payload in open {
                var job = try NewJob(.sharesMatch, payload, uniqueKey: payload.key)
                job.onBehalfOf = userID
                try submissions.submit(job, userID: SystemUser.id, in: transaction)
            }
        }
    }
}

extension ShareMatchPayload {
    /// Equal for equal questions.
    fileprivate var key: String { "shares.match\n\(content) \(source.rawValue) \(country)" }
}

extension ServiceLink {
    /// A song that a search has found.
    fileprivate init?(_ item: String, at source: MusicSource, country: String) {
        switch source {
        case .spotify: self.init(spotifyID: item)
        case .appleMusic:
            guard let apple = ShareSong.AppleID(item, country: country) else { return nil }
            self.init(apple)
        case .file: return nil
        }
    }
}
