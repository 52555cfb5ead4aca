import Accounts
import Contracts
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Model
import NIOCore
import NIOPosix
import Pictures
import Storage
import Testing

@testable import Gateway

@Suite("Routes of pictures", .timeLimit(.minutes(5)))
struct PictureRouteTests {
    /// A JPEG of 64 × 64 pixels with only its header and end.
    private static let jpeg: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 64, 0, 64, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 2, 7, 0xFF, 0xD9]

    private let address = "https://is1-ssl.mzstatic.com/image/thumb/a/{w}x{h}bb.jpg"

    private func key(_ size: Int, webP: Bool = false) -> PictureKey {
        PictureKey(
            address: "https://is1-ssl.mzstatic.com/image/thumb/a/\(size)x\(size)bb.jpg", acceptsWebP: webP)
    }

    @Test("A picture in the folder is served in the nearest size, with its type and a long cache lifetime")
    func servedPicture() async throws {
        try await TestGateway.run { gateway in
            try await gateway.pictures.store(try CheckedPicture(Self.jpeg), as: key(64))
            let headers = try await gateway.authorization()
            let path = try #require(PicturePaths.sample.path(of: address))
            try await gateway.withClient { client in
                let picture = try await client.execute(uri: path + "?size=64", method: .get, headers: headers)
                #expect(picture.status == .ok && Array(picture.body.readableBytesView) == Self.jpeg)
                #expect(picture.headers[.contentType] == "image/jpeg")
                #expect(picture.headers[.cacheControl] == "private, max-age=2592000, immutable")
                #expect(picture.headers[.xContentTypeOptions] == "nosniff")
                #expect(picture.headers[.contentSecurityPolicy] == "default-src 'none'; sandbox")
                #expect(picture.headers[.crossOriginResourcePolicy] == "same-origin")
                #expect(picture.headers[.vary] == "Accept")
                var again = headers
                again[.ifNoneMatch] = picture.headers[.eTag]
                let known = try await client.execute(uri: path + "?size=64", method: .get, headers: again)
                #expect(known.status == .notModified && known.body.readableBytes == 0)
            }
        }
    }

    @Test("A path that is not signed is unknown, a wrong size is refused, and so is another site")
    func refusedRequests() async throws {
        try await TestGateway.run { gateway in
            let headers = try await gateway.authorization()
            let path = try #require(PicturePaths.sample.path(of: address))
            try await gateway.pictures.refuse(key(300))
            let accounts = Accounts(database: gateway.database)
            let code = try await accounts.signInLink(user: "ada")
            let session = try #require(try await accounts.signIn(link: code)).0
            let foreign: HTTPFields = [
                .cookie: "backline_session=\(session.secret.reveal())", .secFetchSite: "cross-site",
            ]
            try await gateway.withClient { client in
                for (uri, headers, status) in [
                    (path, headers, 404), (path + "A", headers, 404), (String(path.dropLast()), headers, 404),
                    (path.replacing("pictures/a", with: "pictures/b"), headers, 404),
                    (path + "?size=65", headers, 422), (path + "?size=", headers, 422), (path, [:], 401),
                    (path, foreign, 403),
                ] as [(String, HTTPFields, Int)] {
                    let answer = try await client.execute(uri: uri, method: .get, headers: headers)
                    #expect(answer.status.code == status, "\(uri)")
                }
                let refused = try await client.execute(uri: path, method: .get, headers: headers)
                #expect(try refused.problem.code == "pictureUnavailable")
            }
            let jobs = try await gateway.database.read { try $0.row("SELECT COUNT(*) AS n FROM jobs")?["n"] as Int? }
            #expect(jobs == 0)
        }
    }

    @Test("A browser that closes its connection ends a fetch that nobody else waits for")
    func closedConnection() async throws {
        try await TestGateway.run { gateway in
            let token = try await gateway.addUser("ada").secret.reveal()
            let path = try #require(PicturePaths.sample.path(of: address))
            @Sendable func wait(for state: String) async throws {
                while try await gateway.database.read({
                    try $0.row("SELECT state FROM jobs WHERE kind = 'pictures.fetch'")?["state"] as String?
                }) != state { await Task.yield() }
            }
            // The worker accepts no jobs yet.
            let worker = WorkerIntroduction(
                name: "sync", instance: "sync/1", processID: 1, kinds: [KindVersion(kind: "pictures.fetch", version: 1)]
            )
            gateway.application.services.queue.dispatcher.receive(
                WorkerMessage.hello(worker).encoded(), from: worker.instance)
            let application = Application(router: gateway.application.routes())
            try await application.test(.live) { client in
                let browser = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                    .connect(host: "127.0.0.1", port: try #require(client.port)).get()
                let request = "GET \(path) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n\r\n"
                try await browser.writeAndFlush(ByteBuffer(string: request)).get()
                try await wait(for: "queued")
                try await browser.close().get()
                try await wait(for: "cancelled")
            }
        }
    }

    @Test("Pages load pictures only from this site, and audio from the hosts of previews")
    func contentSecurityPolicy() async throws {
        let sample = try SamplePages()
        let sources = ["https://audio-ssl.itunes.apple.com", "http://127.0.0.1:4711"]
        try await TestGateway.run(pages: try WebFolder(path: sample.path), mediaSources: sources) { gateway in
            try await gateway.withClient { client in
                for path in ["/feed", "/nowhere"] {
                    let page = try await client.execute(uri: path, method: .get, headers: [.accept: "text/html"])
                    let policy = try #require(page.headers[.contentSecurityPolicy])
                    #expect(policy.contains("; img-src 'self' data:; "), "\(policy)")
                    #expect(policy.contains("; media-src \(sources.joined(separator: " ")); "), "\(policy)")
                }
            }
        }
    }
}
