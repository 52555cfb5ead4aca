import Foundation
import Model
import Upstream

/// The part of Apple's iTunes Search API that previews need
/// (developer.apple.com/library/archive/documentation/AudioVideo/Conceptual/iTuneSearchAPI).
///
/// It does no I/O: the given closure handles permits, retries and the connection. Throws ``ITunesError``, or what the
/// closure throws.
package struct ITunesClient: Sendable {
    package typealias Send = @Sendable (UpstreamRequest) async throws -> UpstreamResponse

    /// The most songs of one search. Karaoke versions and tributes often come first.
    private static let searchLimit = 50
    /// The wait after an answer that does not state one: the limit counts per minute.
    private static let standardPause = Duration.seconds(60)

    private let send: Send

    package init(send: @escaping Send) {
        self.send = send
    }

    /// Finds songs that match all words of a text.
    ///
    /// - Parameter country: two letters (ISO 3166); `nil` for the United States.
    package func songs(term: String, country: String? = nil) async throws -> [ITunesSong] {
        try await songs(
            path: "/search",
            [("term", term), ("media", "music"), ("entity", "song"), ("limit", String(Self.searchLimit))], country)
    }

    /// The song with an id of Apple's catalog; empty when the country's store does not have it.
    package func song(id: String, country: String? = nil) async throws -> [ITunesSong] {
        try await songs(path: "/lookup", [("id", id)], country)
    }

    private func songs(
        path: String, _ query: [(name: String, value: String)], _ country: String?
    ) async throws -> [ITunesSong] {
        let response = try await send(
            UpstreamRequest(
                path: path, query: query + (country.map { [("country", $0)] } ?? []),
                headers: [("Accept", "application/json")]))
        guard response.isSuccess else { throw ITunesError(response) }
        // The media type is text/javascript.
        guard let page = try? JSONDecoder().decode(Page.self, from: Data(response.body)) else {
            throw ITunesError.unreadable
        }
        return page.results
    }

    /// What an answer means for its call and for all other calls. Too many calls are answered with 403 and an empty
    /// body.
    package static func classify(_ response: UpstreamResponse) -> ResponseVerdict {
        isLimit(response)
            ? .retryable(after: RetryAfter.pause(in: response, orElse: standardPause, now: .now()))
            : .standard(response)
    }

    static func isLimit(_ response: UpstreamResponse) -> Bool {
        response.status == 429 || response.status == 403 && response.body.isEmpty
    }

    private struct Page: Decodable {
        let results: [ITunesSong]

        private enum CodingKeys: String, CodingKey { case results }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            guard container.contains(.results) else {
                throw DecodingError.keyNotFound(
                    CodingKeys.results, .init(codingPath: [], debugDescription: "an answer has results"))
            }
            // Artists and videos are listed among the songs.
            results = container.elements(.results, of: ITunesSong.self).filter(\.isSong)
        }
    }
}

/// A song of the iTunes Store.
package struct ITunesSong: Decodable, Sendable, Equatable {
    package let title: String
    package let artist: String
    /// Empty if there is none.
    package let album: String
    package let durationMs: Int?
    package let isExplicit: Bool?
    /// The address of a thirty-second excerpt.
    package let previewURL: String?
    let isSong: Bool

    private enum CodingKeys: String, CodingKey {
        case kind, trackName, artistName, collectionName, trackTimeMillis, trackExplicitness, previewUrl
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        title = container.text(.trackName) ?? ""
        artist = container.text(.artistName) ?? ""
        album = container.text(.collectionName) ?? ""
        durationMs = container.number(.trackTimeMillis)
        isExplicit = container.text(.trackExplicitness).map { $0 == "explicit" }
        previewURL = container.text(.previewUrl)
        isSong = container.text(.kind) == "song" && !title.isEmpty && !artist.isEmpty
    }
}
