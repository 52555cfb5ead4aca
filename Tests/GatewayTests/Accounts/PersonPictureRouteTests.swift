import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Jobs
import Model
import NIOCore
import Pictures
import Storage
import TestSupport
import Testing

@testable import Gateway

@Suite("Pictures that people upload, in the API", .timeLimit(.minutes(5)))
struct PersonPictureRouteTests {
    private func upload(
        _ client: some TestClientProtocol, _ headers: HTTPFields, _ file: [UInt8], type: String? = "image/png"
    ) async throws -> TestResponse {
        var headers = headers
        headers[.contentType] = type
        return try await client.execute(
            uri: "/v1/me/picture", method: .put, headers: headers, body: ByteBuffer(bytes: file))
    }

    private func member(_ name: String, of response: TestResponse) throws -> String? {
        let object = try JSONSerialization.jsonObject(with: Data(response.body.readableBytesView))
        return try #require(object as? [String: Any])[name] as? String
    }

    /// The picture in a person's own profile.
    private func picture(_ client: some TestClientProtocol, _ headers: HTTPFields) async throws -> String? {
        try member("picture", of: try await client.execute(uri: "/v1/me", method: .get, headers: headers))
    }

    /// A gateway with a program that returns each file as it is.
    private func withCopyingHelper(_ body: (TestGateway) async throws -> Void) async throws {
        try await TestGateway.run(changeSettings: { $0[PictureSettings.self].helper = "/bin/cat" }, body)
    }

    /// A WebP of 9 × 9 pixels with only its header: a simple file's (RFC 9649, section 2.5).
    private func webP(_ last: UInt8 = 0) -> [UInt8] {
        let frame: [UInt8] = [0, 0, 0, 0x9D, 0x01, 0x2A, 9, 0, 9, 0, 0, last]
        let size = [UInt8(12 + frame.count), 0, 0, 0]
        return Array("RIFF".utf8) + size + Array("WEBPVP8 ".utf8) + [UInt8(frame.count), 0, 0, 0] + frame
    }

    @Test(
        "An uploaded picture is shown to everybody, at an address that ends with it",
        .enabled(if: !Seccomp.isMissing, "\(Seccomp.whyNot)"))
    func uploadedPicture() async throws {
        try await TestGateway.run { gateway in
            let ada = try await gateway.authorization("ada")
            let bob = try await gateway.authorization("bob")
            try await gateway.withClient { client in
                #expect(try await picture(client, ada) == nil)
                let stored = try await upload(client, ada, SamplePNG.gradient(width: 640, height: 480).bytes)
                #expect(stored.status == .ok)
                let path = try #require(try member("picture", of: stored))
                #expect(path.hasPrefix("/v1/pictures/people/") && path.count == 42)
                #expect(try await picture(client, ada) == path)
                let profile = try await client.execute(uri: "/v1/users/ada", method: .get, headers: bob)
                #expect(try member("picture", of: profile) == path)
                #expect(try await client.execute(uri: path, method: .get).status == .unauthorized)
                let shown = try await client.execute(uri: path + "?size=64", method: .get, headers: bob)
                let found = try CheckedPicture(Array(shown.body.readableBytesView), longestSide: 200)
                #expect(shown.status == .ok && found.format == .webP)
                #expect(shown.headers[.contentType] == "image/webp")

                let other = try await upload(client, ada, SamplePNG.gradient(width: 30, height: 30).bytes)
                let newPath = try #require(try member("picture", of: other))
                #expect(try await client.execute(uri: newPath, method: .get, headers: bob).status == .ok)
                #expect(newPath != path)
                #expect(try await client.execute(uri: path, method: .get, headers: bob).status == .notFound)
                for _ in 0..<2 {
                    let removed = try await client.execute(uri: "/v1/me/picture", method: .delete, headers: ada)
                    #expect(removed.status == .noContent)
                }
                #expect(try await picture(client, ada) == nil)
                #expect(try await client.execute(uri: newPath, method: .get, headers: bob).status == .notFound)
            }
        }
    }

    @Test("A browser keeps a picture for an hour, and then asks whether it is still there")
    func cachedPicture() async throws {
        try await withCopyingHelper { gateway in
            let headers = try await gateway.authorization()
            try await gateway.withClient { client in
                let path = try #require(try member("picture", of: try await upload(client, headers, webP())))
                let shown = try await client.execute(uri: path, method: .get, headers: headers)
                #expect(Array(shown.body.readableBytesView) == webP())
                #expect(shown.headers[.cacheControl] == "private, max-age=3600")
                #expect(shown.headers[.xContentTypeOptions] == "nosniff")
                #expect(shown.headers[.contentSecurityPolicy] == "default-src 'none'; sandbox")
                #expect(shown.headers[.crossOriginResourcePolicy] == "same-origin")
                var again = headers
                again[.ifNoneMatch] = shown.headers[.eTag]
                let known = try await client.execute(uri: path, method: .get, headers: again)
                #expect(known.status == .notModified && known.body.readableBytes == 0)
                _ = try await upload(client, headers, webP(1))
                #expect(try await client.execute(uri: path, method: .get, headers: again).status == .notFound)
            }
        }
    }

    @Test(
        "What is no picture, or too much of one, is refused with a word, and the earlier picture stays",
        .enabled(if: !Seccomp.isMissing, "\(Seccomp.whyNot)"))
    func refusedFiles() async throws {
        try await TestGateway.run { gateway in
            let headers = try await gateway.authorization()
            let png = SamplePNG.gradient(width: 20, height: 20).bytes
            let heic: [UInt8] = [0, 0, 0, 24] + Array("ftypheic\0\0\0\0mif1heic".utf8)
            try await gateway.withClient { client in
                let stored = try await upload(client, headers, png)
                let path = try member("picture", of: stored)
                for (file, type, status, code) in [
                    (png, "image/heic", 415, "unsupportedPicture"), (png, "image/gif", 415, "unsupportedPicture"),
                    (png, nil, 415, "unsupportedPicture"), (png, "text/html", 415, "unsupportedPicture"),
                    (heic, "image/jpeg", 415, "unsupportedPicture"), ([], "image/png", 415, "unsupportedPicture"),
                    (Array("<svg/>".utf8), "image/png", 415, "unsupportedPicture"),
                    (Array(png.dropLast()), "image/png", 422, "damagedPicture"),
                    (SamplePNG(claiming: 64_250, 64_250).bytes, "image/png", 422, "tooManyPixels"),
                    (png + [UInt8](repeating: 0, count: 5 << 20), "image/png", 413, "bodyTooLarge"),
                ] as [([UInt8], String?, Int, String)] {
                    let refused = try await upload(client, headers, file, type: type)
                    #expect(Int(refused.status.code) == status, "\(code)")
                    let problem = try refused.problem
                    #expect(problem.code == code)
                    if status == 415 { #expect(problem.detail.contains("HEIC")) }
                    if status == 413 { #expect(problem.detail.contains("5 MiB")) }
                }
                #expect(try await upload(client, [:], png).status == .unauthorized)
                var coded = headers
                coded[.contentEncoding] = "gzip"
                #expect(try await upload(client, coded, png).problem.code == "unsupportedEncoding")
                #expect(try await picture(client, headers) == path)
                // The form of the type does not matter.
                #expect(try await upload(client, headers, png, type: "IMAGE/PNG; charset=binary").status == .ok)
            }
        }
    }

    @Test("Where the program is missing, the answer says so, and nothing else fails")
    func missingHelper() async throws {
        let path = "/nonexistent/picture-helper"
        try await TestGateway.run(changeSettings: { $0[PictureSettings.self].helper = path }) { gateway in
            let headers = try await gateway.authorization()
            try await gateway.withClient { client in
                let refused = try await upload(client, headers, SamplePNG.gradient(width: 20, height: 20).bytes)
                #expect(refused.status == .notImplemented)
                #expect(try refused.problem.code == "pictureUploadsUnavailable")
                #expect(try await picture(client, headers) == nil)
                let removed = try await client.execute(uri: "/v1/me/picture", method: .delete, headers: headers)
                #expect(removed.status == .noContent)
            }
        }
    }

    @Test("A program that returns anything but a small picture is not believed")
    func helperTakenOver() async throws {
        try await withCopyingHelper { gateway in
            let headers = try await gateway.authorization()
            try await gateway.withClient { client in
                let page = Array("<script>alert(1)</script>".utf8)
                for file in [page, [0xFF, 0xD8, 0xFF, 0xD9], Array(webP().dropLast())] {
                    let refused = try await upload(client, headers, file)
                    #expect(try refused.status == .unprocessableContent && refused.problem.code == "damagedPicture")
                }
                #expect(try await picture(client, headers) == nil)
            }
        }
    }

    @Test("An uploaded picture takes the place of Google's; removing the picture removes both")
    func googlesPicture() async throws {
        try await withCopyingHelper { gateway in
            let headers = try await gateway.authorization("ada")
            try await gateway.database.write { transaction in
                try transaction.run(
                    "UPDATE users SET picture_url = 'https://lh3.googleusercontent.com/a/1=s96-c' WHERE name = 'ada'")
            }
            try await gateway.withClient { client in
                let googles = try #require(try await picture(client, headers))
                #expect(googles.hasPrefix("/v1/pictures/") && !googles.hasPrefix("/v1/pictures/people/"))
                let before = try await client.execute(uri: "/v1/me", method: .get, headers: headers)
                let uploaded = try member("picture", of: try await upload(client, headers, webP()))
                #expect(try await picture(client, headers) == uploaded)
                let after = try await client.execute(uri: "/v1/me", method: .get, headers: headers)
                #expect(try member("updatedAt", of: after) != (try member("updatedAt", of: before)))
                _ = try await client.execute(uri: "/v1/me/picture", method: .delete, headers: headers)
                #expect(try await picture(client, headers) == nil)
            }
        }
    }

    @Test("Whoever may not know of a person does not get the picture either")
    func hiddenPicture() async throws {
        try await withCopyingHelper { gateway in
            let ada = try await gateway.authorization("ada")
            let (bob, cleo) = (try await gateway.authorization("bob"), try await gateway.authorization("cleo"))
            try await gateway.withClient { client in
                let path = try #require(try member("picture", of: try await upload(client, ada, webP())))
                func send(_ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields) async throws -> UInt {
                    let answer = try await client.execute(uri: path, method: method, headers: headers)
                    return UInt(answer.status.code)
                }
                func see(_ headers: HTTPFields) async throws -> UInt { try await send(.get, path, headers) }
                #expect(try await see(bob) == 200)
                #expect(try await send(.put, "/v1/users/ada/block", bob) == 204)
                #expect(try await see(bob) == 404)
                #expect(try await send(.delete, "/v1/users/ada/block", bob) == 204)

                // Ada follows Cleo, who therefore sees her name and picture, also once they are private.
                #expect(try await send(.put, "/v1/users/cleo/follow", ada) == 200)
                let closed = try await client.execute(
                    uri: "/v1/me", method: .patch, headers: ada,
                    body: ByteBuffer(string: #"{"profileVisibility":"private"}"#))
                #expect(closed.status == .ok)
                #expect(try await see(ada) == 200)
                #expect(try await see(bob) == 404)
                #expect(try await see(cleo) == 200)
                #expect(try await send(.put, "/v1/users/ada/block", cleo) == 204)
                #expect(try await see(cleo) == 404)
            }
        }
    }

    @Test("The export has the picture, and an erasure removes it at once")
    func exportAndErasure() async throws {
        try await withCopyingHelper { gateway in
            let token = try await gateway.addUser("ada").secret.reveal()
            let ada: HTTPFields = [.authorization: "Bearer \(token)"]
            let bob = try await gateway.authorization("bob")
            try await gateway.withClient { client in
                let path = try #require(try member("picture", of: try await upload(client, ada, webP())))
                let archive = try await client.execute(uri: "/v1/me/export", method: .get, headers: ada)
                let object = try JSONSerialization.jsonObject(with: Data(archive.body.readableBytesView))
                let rows = (object as? [String: Any])?["profilePicture"] as? [[String: Any]]
                let row = try #require(rows?.first)
                #expect(rows?.count == 1 && row["type"] as? String == "image/webp")
                #expect(row["bytes"] as? String == Data(webP()).base64EncodedString())
                let erased = try await client.execute(
                    uri: "/v1/me", method: .delete, headers: ada,
                    body: ByteBuffer(string: #"{"username":"ada","token":"\#(token)"}"#))
                #expect(erased.status == .noContent)
                #expect(try await client.execute(uri: path, method: .get, headers: bob).status == .notFound)
            }
        }
    }

    @Test("One person's pictures are received one at a time")
    func uploadsOneAtATime() async throws {
        try await withCopyingHelper { gateway in
            var headers = try await gateway.authorization("ada")
            headers[.contentType] = "image/webp"
            let (ada, bob) = (headers, try await gateway.authorization("bob"))
            let router = gateway.application.routes().buildResponder()
            let (parts, sending) = AsyncStream<ByteBuffer>.makeStream()
            let received = Collector<Void>()
            let slow = Task {
                var request = Request(.put, "/v1/me/picture", headers: ada)
                request.body = RequestBody(
                    asyncSequence: parts.map { part in
                        received.append(())
                        return part
                    })
                return try await router.respond(to: request, context: try GatewayContext.from())
            }
            sending.yield(ByteBuffer(bytes: webP().prefix(20)))
            await received.wait(for: 1)
            let refused = try await router.respond(
                to: Request(.put, "/v1/me/picture", headers: ada), context: try GatewayContext.from())
            #expect(refused.status == .tooManyRequests && refused.headers[.retryAfter] == "1")
            try await gateway.withClient { client in
                let stored = try await upload(client, bob, webP())
                #expect(stored.status == .ok)
            }
            sending.yield(ByteBuffer(bytes: webP().dropFirst(20)))
            sending.finish()
            #expect(try await slow.value.status == .ok)
            // The next one may come.
            try await gateway.withClient { client in
                let stored = try await upload(client, ada, webP())
                #expect(stored.status == .ok)
            }
        }
    }
}
