import Accounts
import Composition
import Concerts
import Contracts
import Curation
import Domains
import Foundation
import HTTPTypes
import Hummingbird
import Library
import LibraryEdits
import LibrarySync
import Model
import NIOCore
import Platform
import Shares
import Storage
import Telemetry
import Timeline

// The readers are the target's own.
@testable import AccountsHTTP
@testable import ConcertsHTTP
@testable import CurationHTTP
@testable import FeedHTTP
@testable import Gateway
@testable import Google
@testable import LibraryHTTP
@testable import ListeningHTTP
@testable import MessagesHTTP
@testable import SharesHTTP

extension HostileParser {
    /// The readers of requests to the gateway.
    static let requests: [HostileParser] = [
        HostileParser("json", mostMemory: 60, mostBytes: 1 << 20, seeds: jsonSeeds) { bytes in
            _ = try? JSONParser.parse(bytes)
            _ = try? JSONParser.parse(bytes, opaqueMembers: ["payload"])
        },
        HostileParser("request-bodies", mostMemory: 60, mostBytes: 1 << 20, seeds: bodySeeds) { read(body: $0) },
        HostileParser("submit-listens", mostMemory: 100, seeds: submissionSeeds) { bytes in
            _ = try? ListenSubmission(bytes, now: 1_800_000_000)
        },
        HostileParser("multipart", mostMemory: 10, seeds: multipartSeeds) { bytes in
            finish("reading a form") {
                let parts = Parts(bytes: bytes.dropFirst(), size: max(1, Int(bytes.first ?? 1)))
                do {
                    for try await part in MultipartFile(base: parts, boundary: "b") { _ = part.readableBytes }
                } catch {}
            }
        },
        HostileParser("headers", mostMemory: 10, mostBytes: 65_536, seeds: headerSeeds) { read(headers: $0) },
        HostileParser(
            "id-tokens", mostMemory: 10, mostBytes: IDTokenVerifier.maximumBytes, seeds: tokenSeeds
        ) { read(idToken: $0) },
        HostileParser("cursors", mostMemory: 10, mostBytes: 65_536, seeds: cursorSeeds) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            _ = list.cursor(text)
            _ = offsets.cursor(text)
        },
    ]

    private static let list = Keyset<Int, String, String>("hostile inputs")
    private static let offsets = Keyset<Int>("hostile offsets")

    /// Reads the body of a request in parts.
    private struct Parts: AsyncSequence, Sendable {
        let bytes: ArraySlice<UInt8>
        let size: Int

        struct Iterator: AsyncIteratorProtocol {
            var rest: ArraySlice<UInt8>
            /// The length of the first parts. All others are as long as those of a connection: each costs a few
            /// microseconds by itself.
            let size: Int
            private var count = 0

            init(_ bytes: ArraySlice<UInt8>, size: Int) { (rest, self.size) = (bytes, size) }

            mutating func next() async -> ByteBuffer? {
                guard !rest.isEmpty else { return nil }
                count += 1
                let part = rest.prefix(count <= 256 ? size : 2_048)
                rest = rest.dropFirst(part.count)
                return ByteBuffer(bytes: part)
            }
        }

        func makeAsyncIterator() -> Iterator { Iterator(bytes, size: size) }
    }

    /// Reads the body of a request like each of several routes.
    private static func read(body bytes: [UInt8]) {
        if let body = try? RequestField.body(bytes, opaqueMembers: JobRequest.opaqueMembers) {
            let kinds = JobKinds(of: .all)
            _ = (
                try? JobRequest.job(body, kinds: kinds, isAdmin: false),
                try? JobRequest.batch(body, kinds: kinds, isAdmin: false)
            )
        }
        guard let body = try? RequestField.body(bytes) else { return }
        _ = try? LibrarySyncRequest(body, userID: "u")
        _ = try? ConcertSearchRequest(body, cityNames: CityNames(), pictures: pictures)
        _ = try? ProfileChange(body)
        _ = (try? CurationRequest(playlist: body), try? CurationRequest(recommendations: body))
        _ = (try? CurationRequest(playlistSuggestions: body), try? CurationRequest(blend: body))
        _ = try? ShareDraft(clientID: "c", body: body)
        _ = try? MessageRequest(body, clientID: "c", song: { try ShareChoice($0) })
        _ = (try? SharePinRequest.parse(body, now: now), try? TimelinePosition(mark: body, now: now))
        _ = try? ArtistRequest.addition(in: body, pictures: pictures)
        _ = try? body.object(["artists"])["artists"].map { try ArtistRequest.additions(in: $0, pictures: pictures) }
        let playlist = LibraryID(key: 1)
        _ = (try? EditChange(creating: body), try? EditChange(renaming: playlist, body))
        _ = (try? EditChange(addingTo: playlist, body), try? EditChange(removingFrom: playlist, body))
        _ = (try? body.editedSource(), try? body.libraryIDs("trackIds", least: 2, of: "track"))
    }

    private static let now = Timestamp(microseconds: 1_800_000_000_000_000)
    private static let pictures = PicturePaths(hosts: MediaHosts([.spotify: ["i.scdn.co"]]), key: PicturePathKey())
    private static let picturePath =
        pictures.path(of: "https://i.scdn.co/image/ab67616d0000b273") ?? PicturePaths.prefix + "a.b"

    /// Reads a compact JSON web token without its signature: whoever signs is trusted.
    private static func read(idToken bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        _ = try? IDTokenVerifier.header(of: text)
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let data = Data(base64URL: parts[1]),
            let claims = try? JSONDecoder().decode(IDTokenClaims.self, from: data)
        else { return }
        let verifier = IDTokenVerifier(clientIDs: ["c"], keys: GoogleKeys { throw CancellationError() })
        _ = (try? verifier.check(claims, nonce: "n", now: now), GoogleIdentity(claims))
    }

    /// Reads a request of lines: its address, then one header in each.
    private static func read(headers bytes: [UInt8]) {
        var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        var fields = HTTPFields()
        let address = lines.isEmpty ? "/" : String(lines.removeFirst())
        // A connection accepts at most 100.
        for line in lines.prefix(100) {
            let pair = line.split(separator: ":", maxSplits: 1)
            guard pair.count == 2, let name = HTTPField.Name(String(pair[0])) else { continue }
            fields.append(HTTPField(name: name, value: String(pair[1])))
        }
        let head = HTTPRequest(
            method: .get, scheme: "http", authority: "localhost", path: address, headerFields: fields)
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        _ = (request.preferredWait, try? request.idempotencyKey(body: []), request.cookie("session"))
        _ = (request.parameter("q"), try? request.pageLimit(standard: 50, maximum: 200))
        _ = (try? request.integer("offset", in: 0...10_000), try? request.cursor(of: list))
        _ = (try? TrackListQuery(request), try? ChangeListQuery(request))
        _ = try? ShowFilter(request, cityNames: CityNames())
        _ = pictures.picture(of: request.uri.path.dropFirst(PicturePaths.prefix.count))
        _ = request.knows(entityTag: "\"x\"")
        _ = (ShareID(address), ShareToken(address), CalendarToken(address), SecretPaths(["/p/"]).masked(address))
        _ = fields[.lastEventID].flatMap { EventID($0)?.description }
        _ = try? fields[.contentType].flatMap { try multipartBoundary(of: $0) }
        _ = HTTPField.Name("traceparent").flatMap { fields[$0] }.flatMap(TraceID.parse)
        let proxies = TrustedProxies(["127.0.0.0/8", "::1", "10.0.0.0/8"].compactMap(AddressRange.init))
        _ = proxies.client(of: request, peer: try? SocketAddress(ipAddress: "127.0.0.1", port: 1))?.subscriber
        _ = fields[.forwarded].flatMap(AddressRange.init)
    }

    // MARK: Seeds

    private static let jsonSeeds = [
        #"{"kind":"a.b","payload":{"x":[1,-2.5e+3,true,null,"\u00e9\n"]},"priority":9007199254740993}"#,
        #"[[[[{}]]], "é"]"#,
    ]
    private static let bodySeeds = [
        #"""
        {"jobs": [{"kind": "diagnostics.echo", "payload": {"text": "x"}, "runAt": "2030-01-01T00:00:00Z",
                   "uniqueKey": "k"}]}
        """#,
        #"{"kind": "diagnostics.echo", "payload": {"milliseconds": 5}, "priority": 3}"#,
        #"{"source": "spotify", "force": true}"#,
        #"{"artists": ["Ann", {"name": "Bob", "rank": 2, "genres": ["rock"]}], "homeCity": "Köln"}"#,
        #"""
        {"username": "ann", "displayName": "Ann", "bio": null, "timeZone": "Europe/Berlin",
         "profileVisibility": "private", "showListeningStats": false}
        """#,
        #"{"prompt": "calm", "minutes": 60, "exclude": {"artists": ["Bob"], "heardWithinDays": 30}, "seed": 1}"#,
        #"{"basedOn": ["01890a5d-ac96-774b-bcce-b302099a8057"], "source": "mixed"}"#,
        #"{"playlistId": "01890a5d-ac96-774b-bcce-b302099a8057", "size": 10}"#, #"{"with": "bob", "size": 10}"#,
        #"{"score": 1800000000000, "number": 9007199254740992}"#,
        #"{"shareId": "00000000-0000-7000-8000-000000000000", "until": "2027-01-16T00:00:00Z"}"#,
        #"{"name": "Ann", "rank": 2, "spotifyId": "4uLU6hMCjMI75M1A2tKUQC", "picture": "\#(picturePath)"}"#,
        #"{"name": "P", "source": "spotify", "trackIds": ["01890a5d-ac96-774b-bcce-b302099a8057"], "public": true}"#,
        #"{"version": "v", "positions": [0, 1000000]}"#,
        #"{"song": {"source": "spotify", "sourceId": "4uLU6hMCjMI75M1A2tKUQC"}, "message": "For long\nevenings 🎵"}"#,
        #"{"text": "Have you heard this?\n\n🎵", "song": {"source": "spotify", "sourceId": "4uLU6hMCjMI75M1A2tKUQC"}}"#,
    ]
    private static let submissionSeeds = [
        #"""
        {"listen_type":"import","payload":[{"listened_at":1749780612,"track_metadata":
            {"track_name":"One","artist_name":"Ada",
             "additional_info":{"duration_ms":1000,"tags":["a"],"b":{"c":{"d":1}}}}}]}
        """#,
        #"{"listen_type":"playing_now","payload":[{"track_metadata":{"track_name":"One","artist_name":"Ada"}}]}"#,
    ]
    private static let multipartSeeds = [
        "\u{10}--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.csv\"\r\n\r\nTitle\nA\r\n--b--\r\n",
        "\u{01}--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n1\r\n--b\r\nfilename\r\n\r\nA\r\n--b--",
    ]
    private static let tokenSeeds = [
        // {"alg":"RS256","kid":"k"} and claims.
        "eyJhbGciOiJSUzI1NiIsImtpZCI6ImsifQ."
            + "eyJpc3MiOiJhY2NvdW50cy5nb29nbGUuY29tIiwiYXVkIjoiYyIsImV4cCI6MTgwMDAwMDYwMCwiaWF0IjoxNzk5OTk5OTk5LCJzdWIi"
            + "OiIxIiwibm9uY2UiOiJuIiwiZW1haWxfdmVyaWZpZWQiOiJ0cnVlIn0.c2ln"
    ]
    private static let headerSeeds = [
        "\(picturePath)?size=small\nAccept: image/webp\n",
        #"""
        /v1/jobs?limit=20&offset=-1&q=a+%C3%A9&cursor=x&since=2026-01-01T00:00:00+02:00&source=all&city=K%C3%B6ln
        Prefer: respond-async, wait="10"; a=b
        Cookie: session=abc; a=b
        If-None-Match: W/"x", "y"
        Last-Event-ID: 12
        X-Forwarded-For: 10.0.0.1, [::1]:80, 192.0.2.1:80
        traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
        Idempotency-Key: k
        Content-Type: multipart/form-data; boundary="b"
        Forwarded: 10.0.0.0/8
        """#,
    ]
    private static let cursorSeeds = [list.text(of: 1, "a", "b.c~%"), offsets.text(of: .min), offsets.text(of: 20)]
}
