import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// The simulator's pictures of any size and previews of songs, which the answers of Spotify, Apple Music and iTunes
/// reference, and files that are not pictures despite their names. Requests for them do not count as calls.
package final class MediaFiles: Sendable {
    static let pictureFolder = "/pictures"
    static let previewFolder = "/previews"

    /// The largest side in pixels.
    private static let largestSide = 3_000

    private let asked = Mutex<[String: Int]>([:])

    /// How often each path was requested.
    package var counts: [String: Int] { asked.withLock { $0 } }

    func addRoutes(to router: Router<SimulatorContext>) {
        for folder in [Self.pictureFolder, Self.previewFolder] {
            router.get(RouterPath(folder + "/**")) { request, _ in try self.answer(request.uri.path) }
        }
    }

    private func answer(_ path: String) throws -> Response {
        asked.withLock { $0[path, default: 0] += 1 }
        let parts = path.split(separator: "/").map(String.init)
        if path.hasPrefix(Self.previewFolder), parts.count == 2, parts[1].hasSuffix(".wav") {
            return Self.file(Tone(of: parts[1]).wave, "audio/wav")
        }
        if parts.count == 4, parts[1] == "i", let size = Self.size(of: parts[3]) {
            let portrait = Portrait(name: parts[2], hasLetters: false)
            return Self.file(portrait.drawn(in: size).jpeg, "image/jpeg")
        }
        if parts.count == 3, parts[1] == "lies", let lie = FalsePicture(rawValue: parts[2]) { return lie.response }
        throw HTTPError(.notFound)
    }

    /// `300x300.jpg` and `300x300bb.jpg` have a size.
    private static func size(of name: String) -> PictureSize? {
        guard let match = name.wholeMatch(of: /([0-9]{1,4})x([0-9]{1,4})(bb)?\.jpg/), let width = Int(match.1),
            let height = Int(match.2), (1...largestSide).contains(width), (1...largestSide).contains(height)
        else { return nil }
        return PictureSize(name: "", ratio: "1_1", width: width, height: height)
    }

    static func file(_ bytes: [UInt8], _ contentType: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: contentType, .cacheControl: "public, max-age=86400"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

/// Files that must not be shown as pictures, below `/pictures/lies`.
package enum FalsePicture: String, Sendable, CaseIterable {
    case svg = "svg.jpg"
    case html = "html.jpg"
    /// A PNG whose header says 50,000 pixels.
    case huge = "huge.png"
    case truncated = "truncated.jpg"
    /// More bytes than any picture should have.
    case heavy = "heavy.jpg"
    /// Sends the client to a picture on a loopback address.
    case redirect = "redirect.jpg"
    case serverError = "error.jpg"

    package var path: String { "\(MediaFiles.pictureFolder)/lies/\(rawValue)" }

    fileprivate var response: Response {
        switch self {
        case .svg:
            MediaFiles.file(Array("<svg xmlns=\"http://www.w3.org/2000/svg\"><script/></svg>".utf8), "image/jpeg")
        case .html: MediaFiles.file(Array("<!doctype html><script>alert(1)</script>".utf8), "image/jpeg")
        case .huge: MediaFiles.file(Self.hugePNG, "image/png")
        case .truncated:
            MediaFiles.file(Array(Self.picture.prefix(Self.picture.count / 2)), "image/jpeg")
        case .heavy: MediaFiles.file(Self.picture + [UInt8](repeating: 0, count: 5 << 20), "image/jpeg")
        case .redirect:
            Response(
                status: .found, headers: [.location: "http://127.0.0.1:9\(MediaFiles.pictureFolder)/i/a/64x64.jpg"])
        case .serverError: Response(status: .internalServerError)
        }
    }

    private static let picture = Portrait(name: nil).drawn(
        in: PictureSize(name: "", ratio: "1_1", width: 64, height: 64)
    ).jpeg

    private static let hugePNG: [UInt8] = {
        let side: [UInt8] = [0x00, 0x00, 0xC3, 0x50]
        let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        let header = Array("IHDR".utf8) + side + side + [8, 6, 0, 0, 0, 0, 0, 0, 0]
        return start + header + [0, 0, 0, 0] + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82]
    }()
}
