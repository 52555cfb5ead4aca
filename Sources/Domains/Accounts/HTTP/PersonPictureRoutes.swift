import Accounts
import Gateway
import HTTPTypes
import Hummingbird
import People
import Pictures
import Storage
import Synchronization
import Telemetry
import Visibility

/// `/v1/me/picture` and `/v1/pictures/people/…`: the pictures that people upload (docs/pictures.md).
struct PersonPictureRoutes: Sendable {
    let accounts: Accounts
    let database: Database
    let helper: PictureHelper
    let metrics: MetricRegistry
    /// The people whose pictures are being received or read: one for each person, so that nobody keeps the helper from
    /// others.
    private let uploading = Uploading()

    init(accounts: Accounts, database: Database, helper: PictureHelper, metrics: MetricRegistry) {
        (self.accounts, self.database, self.helper, self.metrics) = (accounts, database, helper, metrics)
    }

    func add(to group: RouterGroup<GatewayContext>) {
        group.put("me/picture", use: upload)
        group.delete("me/picture", use: remove)
        group.get("pictures/people/:address", use: show)
    }

    @Sendable private func upload(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        try request.checkPictureType()
        guard uploading.begin(userID) else { throw Problem.pictureUnderWay }
        defer { uploading.end(userID) }
        let file: [UInt8]
        do {
            file = try await request.bodyBytes(limit: PictureHelper.maximumBytes, ignoresCharset: true)
        } catch let problem as Problem where problem.code == .bodyTooLarge {
            throw Problem(UploadRefusal.tooLarge)
        }
        let picture = try await smallPicture(of: file, context)
        let stored: String?
        do {
            stored = try await accounts.setPicture(picture.bytes, type: picture.format.contentType, userID: userID)
        } catch let reached as ActLimitReached {
            throw Problem(reached)
        }
        guard let address = stored else { throw Problem.unauthorized }
        return .json(.ok, JSONWriter.object { $0.member("picture", PicturePaths.peoplePrefix + address) })
    }

    private func smallPicture(of file: [UInt8], _ context: GatewayContext) async throws -> CheckedPicture {
        do {
            let picture = try await helper.smallPicture(of: file)
            metrics.counter(.pictureUploads, ["stored"]).add()
            return picture
        } catch {
            metrics.counter(.pictureUploads, [error.outcome]).add()
            switch error {
            case .unavailable(let reason):
                context.logger.error("an uploaded picture cannot be read", metadata: ["reason": "\(reason)"])
            case .beyondLimits:
                context.logger.warning("an uploaded picture was beyond the limits of picture-helper, which was ended")
            case .notPicture, .unsupported, .tooManyPixels, .damaged, .tooLarge, .busy: break
            }
            throw Problem(error)
        }
    }

    @Sendable private func remove(_ request: Request, _ context: GatewayContext) async throws -> Response {
        do {
            try await accounts.removePicture(userID: context.userID)
        } catch let reached as ActLimitReached {
            throw Problem(reached)
        }
        return Response(status: .noContent)
    }

    @Sendable private func show(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let address = try context.parameters.require("address")
        guard let picture = try await visiblePicture(at: address, userID: userID) else { throw Problem.noSuchPicture }
        // The picture at an address never changes, and ends with it. So a browser keeps it, and asks after an hour
        // whether it is still there.
        let tag = "\"\(address)\""
        var headers: HTTPFields = [.eTag: tag, .cacheControl: "private, max-age=3600"]
        if request.knows(entityTag: tag) { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = picture.type
        headers[.contentSecurityPolicy] = "default-src 'none'; sandbox"
        headers[.crossOriginResourcePolicy] = "same-origin"
        return Response(
            status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: picture.bytes)))
    }

    /// The picture at an address; `nil` also where the reader does not see the card of its person.
    private func visiblePicture(at address: String, userID: String) async throws -> PersonPicture? {
        try await database.read { reader in
            guard let picture = try reader.accounts.picture(at: address),
                let viewer = try reader.visibility.viewer(userID: userID),
                let relation = try reader.visibility.relation(of: viewer, to: picture.userID),
                try reader.people.showsCard(relation, to: viewer)
            else { return nil }
            return picture
        }
    }
}

/// The people with an upload under way.
private final class Uploading: Sendable {
    private let people = Mutex<Set<String>>([])

    /// - Returns: whether the person had none.
    func begin(_ userID: String) -> Bool { people.withLock { $0.insert(userID).inserted } }

    func end(_ userID: String) { people.withLock { _ = $0.remove(userID) } }
}

extension Request {
    /// - Throws: ``Problem`` for a media type that is not read, before anything of the body arrives.
    fileprivate func checkPictureType() throws {
        let type = headers[.contentType]?.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
        guard let type, PictureHelper.mediaTypes.contains(type) else { throw Problem.unsupportedPicture }
    }
}

extension Problem {
    init(_ refusal: UploadRefusal) {
        self =
            switch refusal {
            case .notPicture, .unsupported: .unsupportedPicture
            case .tooManyPixels: .tooManyPixels
            case .damaged: .damagedPicture
            case .beyondLimits: .laboriousPicture
            case .tooLarge: .pictureTooLarge
            case .busy: .tooManyUploads
            case .unavailable: .pictureUploadsUnavailable
            }
    }

    fileprivate static let unsupportedPicture = Problem(
        .unsupportedMediaType, code: .unsupportedPicture, title: "This file format is not supported",
        detail: "Send a JPEG, PNG or WebP, with its media type as Content-Type. HEIC, AVIF, GIF and animated WebP are "
            + "not supported; an iPhone's HEIC photo can be exported as JPEG.")

    fileprivate static let pictureTooLarge = Problem(
        .contentTooLarge, code: .bodyTooLarge, title: "The picture is too large",
        detail: "A picture may have at most \(PictureHelper.maximumBytes >> 20) MiB. Make it smaller; it is shown at "
            + "\(PictureHelper.longestSide) × \(PictureHelper.longestSide) pixels at most.")

    fileprivate static let tooManyPixels = Problem(
        .unprocessableContent, code: .tooManyPixels, title: "The picture is too large",
        detail: "A picture may have at most 20 million pixels, its width times its height. Make it smaller; it is "
            + "shown at \(PictureHelper.longestSide) × \(PictureHelper.longestSide) pixels at most.")

    fileprivate static let damagedPicture = Problem(
        .unprocessableContent, code: .damagedPicture, title: "The picture cannot be read",
        detail: "The file ends too early, or its content contradicts its format. Send it again, or save the picture "
            + "in another program and send that file.")

    fileprivate static let laboriousPicture = Problem(
        .unprocessableContent, code: .damagedPicture, title: "The picture cannot be read",
        detail: "Reading the picture took more time or memory than it may. Save it in another program, and send that "
            + "file.")

    fileprivate static let pictureUnderWay = Problem(
        .tooManyRequests, code: .tooManyRequests, title: "Another upload is in progress",
        detail: "Another picture of yours is being received. Wait until that has ended, then send this one again.",
        retryAfter: 1)

    fileprivate static let tooManyUploads = Problem(
        .serviceUnavailable, code: .gatewayBusy, title: "The gateway is busy",
        detail: "Other people's pictures are being read. Send yours again in a few seconds.", retryAfter: 5)

    fileprivate static let pictureUploadsUnavailable = Problem(
        .notImplemented, code: .pictureUploadsUnavailable, title: "Pictures cannot be uploaded here",
        detail: "This installation lacks the program picture-helper, or its kernel cannot confine the program. The "
            + "gateway's log states the reason, for whoever runs the installation.")

    fileprivate static let noSuchPicture = Problem(
        .notFound, code: .notFound, title: "Not found",
        detail: "There is no picture here any longer. Read the profile again for the address of the present one.")
}
