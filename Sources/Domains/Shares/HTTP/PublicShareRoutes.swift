import Accounts
import Foundation
import Gateway
import HTTPTypes
import Hummingbird
import Model
import NIOCore
import Pictures
import Shares
import Storage

/// `/p/{token}`: the page of a link, for people without an account.
///
/// It shows what is stored, and nothing that it does calls an upstream. The page is written here as a whole, without
/// scripts: whoever opens it is not known, and gets nothing of the site that they would need an account for.
struct PublicShareRoutes: Sendable {
    /// What the path of a link begins with.
    static let prefix = "/p/"
    /// The most requests of an address at once, which come back over a minute. Pictures have a limit of their own.
    static let requestsPerMinute = 30

    private let database: Database
    private let pictures: PictureFolder
    private let page: PublicSharePage
    private let pageLimit: AddressLimit
    private let pictureLimit: AddressLimit

    /// - Parameters:
    ///   - pictures: the pictures that were fetched for people with accounts.
    ///   - now: the clock of the limit.
    init(
        database: Database, pictures: PictureFolder, previewHosts: MediaHosts, proxies: TrustedProxies,
        now: @escaping @Sendable () -> MonotonicInstant
    ) {
        (self.database, self.pictures) = (database, pictures)
        pageLimit = AddressLimit(requestsPerMinute: Self.requestsPerMinute, proxies: proxies, now: now)
        pictureLimit = AddressLimit(requestsPerMinute: Self.requestsPerMinute, proxies: proxies, now: now)
        page = PublicSharePage(previewHosts: previewHosts)
    }

    func add(to router: Router<GatewayContext>) {
        router.get("p/:token", use: show)
        router.get("p/:token/picture", use: showPicture)
    }

    @Sendable private func show(_ request: Request, _ context: GatewayContext) async throws -> Response {
        if let delay = pageLimit.wait(of: request, context) {
            return page.response(.tooManyRequests, page.tooManyRequests, retryAfter: delay)
        }
        guard let token = ShareToken(try context.parameters.require("token")),
            let (share, name) = try await read(token)
        else { return page.response(.notFound, page.ended) }
        let hasPicture = await hasPicture(of: share.song, for: request)
        let text = page.document(
            of: share, sender: name, picture: hasPicture ? Self.prefix + token.secret.reveal() + "/picture" : nil)
        return page.response(.ok, text)
    }

    private func read(_ token: ShareToken) async throws -> (share: LinkedShare, name: String?)? {
        try await database.read { reader in
            guard let share = try reader.shares.share(linkedBy: token, now: .now()) else { return nil }
            let sender = try share.senderID.flatMap { try reader.accounts.summaries(ofUsers: [$0])[$0] }
            return (share, sender.map { $0.displayName ?? $0.username })
        }
    }

    // MARK: Pictures

    @Sendable private func showPicture(_ request: Request, _ context: GatewayContext) async throws -> Response {
        if let delay = pictureLimit.wait(of: request, context) {
            return page.response(.tooManyRequests, page.tooManyRequests, retryAfter: delay)
        }
        guard let token = ShareToken(try context.parameters.require("token")),
            let (share, _) = try await read(token), let picture = await picture(of: share.song, for: request)
        else { return page.response(.notFound, page.ended) }
        var headers = page.headers
        headers[.contentType] = picture.format.contentType
        headers[.contentSecurityPolicy] = "default-src 'none'; sandbox"
        headers[.crossOriginResourcePolicy] = "same-origin"
        return Response(
            status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: picture.bytes)))
    }

    /// The picture of a song in a size in which somebody with an account has seen it. It is not fetched.
    private func picture(of song: ShareSong, for request: Request) async -> CheckedPicture? {
        for key in Self.pictureKeys(of: song, for: request) {
            if case .picture(let found) = await pictures.entry(key) { return found }
        }
        return nil
    }

    private func hasPicture(of song: ShareSong, for request: Request) async -> Bool {
        for key in Self.pictureKeys(of: song, for: request) where await pictures.hasPicture(key) { return true }
        return false
    }

    /// The keys under which a picture of a song may be stored, the best first.
    private static func pictureKeys(of song: ShareSong, for request: Request) -> [PictureKey] {
        let acceptsWebP = request.headers[values: .accept].contains { $0.lowercased().contains("image/webp") }
        return [PictureSize.medium, .large, .small].compactMap { song.picture?.address(for: $0) }.flatMap { address in
            (acceptsWebP ? [true, false] : [false]).map { PictureKey(address: address, acceptsWebP: $0) }
        }
    }
}
