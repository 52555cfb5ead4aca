import ChatCompletions
import Gemini
import ITunes
import Model
import Spotify
import Upstream

extension HostileParser {
    /// The readers of answers from music services, shops and model servers.
    static let services: [HostileParser] = [
        HostileParser("service-answers", mostMemory: 60, seeds: serviceSeeds) { read(serviceAnswer: $0) }
    ]

    /// Reads the answer of a service. The first line has a byte for the call, one for the status, and the
    /// `Retry-After`; what follows is the body.
    private static func read(serviceAnswer bytes: [UInt8]) {
        let head = bytes.prefix { $0 != UInt8(ascii: "\n") }
        let call = ServiceCall.all[Int(head.first ?? 0) % ServiceCall.all.count]
        let headers = [
            "content-type": "application/json", "date": "Wed, 15 Jul 2026 08:12:31 GMT",
            "retry-after": String(decoding: head.dropFirst(2), as: UTF8.self),
        ]
        let answer = UpstreamResponse(
            status: statuses[Int(head.dropFirst().first ?? 0) % statuses.count], headers: headers,
            body: Array(bytes.dropFirst(head.count + 1)))
        finish("reading an answer") {
            do {
                try await call.read(answer)
            } catch {
                _ = (error as? any ProviderError)?.failure(at: now)
            }
        }
        _ = (SpotifyVerdict.classify(answer, now: now), GeminiClient.classify(answer, now: now))
        _ = (ITunesClient.classify(answer), ChatClient.classify(answer, now: now), GeminiClient.inputTokens(answer))
    }

    private static let now = Timestamp(microseconds: 1_800_000_000_000_000)

    /// Most inputs are successful answers, which contain most of what is read.
    private static let statuses = [200, 200, 200, 200, 200, 200, 400, 401, 403, 404, 429, 503]

    private static let serviceSeeds = ServiceCall.all.enumerated().map { index, call -> [UInt8] in
        // This must not be the line feed that ends the first line, nor the first status.
        let head = [UInt8(index + ServiceCall.all.count), UInt8(statuses.count)]
        return head + Array("21\n\(call.sample)".utf8)
    }
}
