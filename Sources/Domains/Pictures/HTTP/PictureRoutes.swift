import Contracts
import Gateway
import HTTPTypes
import Hummingbird
import Jobs
import Model
import Pictures

/// `GET /v1/pictures/…`: a picture of a service, at a path that the API has signed (``PicturePaths``).
///
/// The signature replaces the check that ``OwnPageMiddleware`` makes elsewhere: nobody else can write such a path,
/// and browsers do not say over plain http that it is a page's own picture.
struct PictureRoutes {
    let paths: PicturePaths
    let folder: PictureFolder
    let fetches: PictureFetches

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("pictures/:picture", use: show)
    }

    @Sendable private func show(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        // The request is from a page of another site, which has obtained a path of this one.
        if context.session != nil, ["cross-site", "same-site"].contains(request.headers[.secFetchSite]) {
            throw Problem.notOfOwnPage
        }
        let segment = try context.parameters.require("picture")
        guard let picture = paths.picture(of: segment) else { throw Problem.unknownPicture }
        guard let address = picture.address(for: try request.pictureSize), paths.hosts.provider(of: address) != nil
        else {
            throw Problem.pictureUnavailable
        }
        let item = PictureFetchPayload.Item(address: address, acceptsWebP: request.acceptsWebP)
        let key = PictureKey(address: item.address, acceptsWebP: item.acceptsWebP)
        // The file of a key never changes, unless it was removed and its server then returns another picture.
        let tag = "\"\(key.text.prefix(32))\""
        if request.knows(entityTag: tag) { return Response(status: .notModified, headers: Self.headers(tag)) }
        switch await folder.entry(key) {
        case .picture(let found): return answer(found, tag)
        case .refused: throw Problem.pictureUnavailable
        case .missing: break
        }
        do {
            try await ClientDeparture.cancelling(when: context.channel) { [fetches] in
                try await fetches.fetched(item, for: userID)
            }
        } catch is TooManyPictures {
            throw Problem.tooManyPictures
        } catch is NoPictureWorker {
            throw Problem.noPictureWorker
        } catch is JobWaitError {
            throw Problem.pictureNotReady
        } catch is CancellationError {
            // Nobody reads this answer.
            throw Problem.pictureNotReady
        }
        switch await folder.entry(key) {
        case .picture(let found): return answer(found, tag)
        case .refused: throw Problem.pictureUnavailable
        // The worker has another folder, or cannot write to it.
        case .missing: throw Problem.pictureNotReady
        }
    }

    private func answer(_ picture: CheckedPicture, _ tag: String) -> Response {
        var headers = Self.headers(tag)
        headers[.contentType] = picture.format.contentType
        // This is for a browser that opens the picture on its own.
        headers[.contentSecurityPolicy] = "default-src 'none'; sandbox"
        headers[.crossOriginResourcePolicy] = "same-origin"
        return Response(
            status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: picture.bytes)))
    }

    /// The path contains the picture's addresses, so another picture has another path.
    private static func headers(_ tag: String) -> HTTPFields {
        [.eTag: tag, .cacheControl: "private, max-age=2592000, immutable", .vary: "Accept"]
    }
}

extension Request {
    /// The parameter `size`.
    fileprivate var pictureSize: PictureSize {
        get throws {
            guard let text = parameter("size") else { return .standard }
            guard let size = Int(decimal: text, in: 0...10_000).flatMap(PictureSize.init) else {
                let known = PictureSize.allCases.map { String($0.rawValue) }.joined(separator: ", ")
                throw Problem.invalidRequest(
                    code: .invalidParameter, "size: expected one of \(known), found '\(text.prefix(40))'.",
                    field: "size")
            }
            return size
        }
    }

    /// Whether the browser names WebP as a format that it accepts.
    fileprivate var acceptsWebP: Bool {
        headers[values: .accept].contains { $0.lowercased().contains("image/webp") }
    }
}

extension Problem {
    static let unknownPicture = Problem(
        .notFound, code: .notFound, title: "Not found",
        detail: "This path was not made by this installation. Use the member picture of a track, an album or an "
            + "artist unchanged.")

    static let pictureUnavailable = Problem(
        .notFound, code: .pictureUnavailable, title: "There is no picture",
        detail: "The server returned no picture that can be shown. Show something else in its place; the server is "
            + "asked again after an hour, or after a minute if it could not be reached.")

    static let tooManyPictures = Problem(
        .tooManyRequests, code: .tooManyRequests, title: "Too many pictures at once",
        detail: "At most \(PictureBatch.picturesPerPerson) pictures are fetched for one person at a time. Ask again "
            + "when some have arrived.", retryAfter: 1)

    static let noPictureWorker = recovering(
        .retryAt,
        Problem(
            .serviceUnavailable, code: .noVerdict, title: "Pictures cannot be fetched now",
            detail: "No sync-worker is connected to the gateway. Start one: it fetches pictures. Until then, show "
                + "something else in place of missing pictures.", retryAfter: 30))

    static let pictureNotReady = recovering(
        .retryAt,
        Problem(
            .serviceUnavailable, code: .noVerdict, title: "The picture is not ready",
            detail: "No worker fetched it in time. Try again in a moment. If this continues, check that a sync-worker "
                + "is running.", retryAfter: 5))
}
