import Contracts
import Gateway
import HTTPTypes
import Hummingbird
import Jobs
import Library
import Model
import Previews
import Storage

/// `GET /v1/previews` and `GET /v1/library/tracks/{id}/preview`: thirty seconds of a song.
struct PreviewRoutes {
    let queue: JobQueue
    /// The hosts from which pages may play audio.
    let hosts: MediaHosts

    /// The wait when iTunes refuses a request without saying for how long: its limit counts by the minute.
    private static let standardWait = 60

    func add(to group: RouterGroup<GatewayContext>) {
        group.askingUpstreams.get("previews", use: find)
        group.askingUpstreams.get("library/tracks/:id/preview", use: ofTrack)
    }

    @Sendable private func find(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let question = try PreviewQuestion(request)
        return try await answer(question, for: context.userID)
    }

    @Sendable private func ofTrack(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let id = try context.libraryID(of: "track")
        let found = try await queue.database.read { reader in
            try reader.trackIdentity.survivor(of: id, userID: userID).flatMap { id in
                try reader.tracks.track(id, userID: userID).map { track in
                    (track, try reader.tracks.sourceTracks(ofTrack: id, userID: userID))
                }
            }
        }
        guard let (track, sourceTracks) = found else { throw Problem.notFound("track") }
        // A preview that a service sent with the track is of exactly this recording.
        for sourceTrack in sourceTracks {
            if let url = sourceTrack.previewURL, hosts.provider(of: url) != nil {
                return Self.response(.found(url, source: sourceTrack.source.rawValue))
            }
        }
        let apple = sourceTracks.first { $0.source == .appleMusic && $0.catalogID != nil }
        let question = PreviewQuestion(
            title: track.title, artist: track.artist, durationMs: track.durationMs, appleMusicID: apple?.catalogID,
            country: apple?.storefront?.lowercased())
        return try await answer(question, for: userID)
    }

    private func answer(_ question: PreviewQuestion, for userID: String) async throws -> Response {
        let known = try await queue.database.read { try $0.previews.answer(to: question, at: .now()) }
        if let known { return Self.response(outcome(known.url)) }
        let result: PreviewFindResult
        do {
            result = try await queue.run(
                .previewsFind, question, for: userID, within: JobQueue.upstreamAnswerTimeout)
        } catch is JobWaitError {
            return Self.response(.later(Self.standardWait))
        }
        return Self.response(
            result.isKnown ? outcome(result.url) : .later(result.retryAfter ?? Self.standardWait))
    }

    private func outcome(_ url: String?) -> Outcome {
        guard let url, hosts.provider(of: url) != nil else { return .none }
        return .found(url, source: Provider.itunes.rawValue)
    }

    private enum Outcome {
        case found(String, source: String)
        case none
        /// Seconds.
        case later(Int)
    }

    private static func response(_ outcome: Outcome) -> Response {
        var headers: HTTPFields = [:]
        if case .later(let seconds) = outcome { headers[.retryAfter] = String(seconds) }
        let body = JSONWriter.object { json in
            switch outcome {
            case .found(let url, let source):
                json.member("url", url)
                json.member("source", source)
                json.member("reason", nil as String?)
                json.member("detail", nil as String?)
            case .none:
                json.member("url", nil as String?)
                json.member("source", nil as String?)
                json.member("reason", "none")
                json.member("detail", "There is no preview of this song.")
            case .later(let seconds):
                json.member("url", nil as String?)
                json.member("source", nil as String?)
                json.member("reason", "later")
                json.member("detail", "Previews cannot be looked up at present. Try again in \(seconds) seconds.")
            }
        }
        return .json(.ok, body, headers: headers)
    }
}

extension PreviewQuestion {
    /// The parameters of a request.
    fileprivate init(_ request: Request) throws {
        func text(_ name: String) throws -> String {
            let text = request.parameter(name)?.trimmingCharacters(in: .whitespaces) ?? ""
            guard (1...300).contains(text.unicodeScalars.count) else {
                throw Problem.invalidRequest(
                    code: .invalidParameter, "\(name): expected 1 to 300 characters.", field: name)
            }
            return text
        }
        let durationMs = try request.integer("durationMs", in: 1...86_400_000)
        var country: String?
        if let text = request.parameter("country") {
            guard text.utf8.count == 2, text.utf8.allSatisfy({ (0x61...0x7a).contains($0 | 0x20) }) else {
                throw Problem.invalidRequest(
                    code: .invalidParameter, "country: expected two letters, such as cz.", field: "country")
            }
            country = text.lowercased()
        }
        self.init(title: try text("title"), artist: try text("artist"), durationMs: durationMs, country: country)
    }
}
