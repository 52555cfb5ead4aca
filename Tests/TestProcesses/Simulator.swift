import Foundation
import TestSupport

/// A running `upstream-sim`.
package struct Simulator: Sendable {
    /// The key of the processes under test, and one for the test's own requests.
    package static let key = "demo-key"
    package static let testKey = "key-of-the-test"

    /// The members of `GET /_sim/counters` that tests read.
    package struct Counters: Decodable, Sendable {
        package struct Key: Decodable, Sendable {
            package var arrivals: Int
            package var largestInOneSecond: Int
        }

        package var arrivals: Int
        package var faults: Int
        package var spike429: Int
        package var quota429: Int
        package var refused: Int
        package var largestInOneSecond: Int
        package var paths: [String: Int]
        package var keywords: [String: Int]
        package var attractions: [String: Int]
        package var keys: [String: Key]
    }

    /// A line of `GET /_sim/arrivals`.
    package struct Arrival: Decodable, Sendable {
        package var request: String
        /// Microseconds of `CLOCK_BOOTTIME`.
        package var at: Int
    }

    package enum ArtistKind: String, Sendable {
        case popular, unknown, eventless, absent, tireless
    }

    package let process: ChildProcess
    let client: APIClient

    /// The base URL, which ends with `/discovery/v2`.
    package var baseURL: String { client.baseURL + "/discovery/v2" }

    /// Starts a simulator and waits until it listens.
    package static func start(
        in installation: Installation, latencyMs: Int, requestsPerSecond: Int, keys: [String] = [key]
    ) async throws -> Simulator {
        let arguments =
            ["--latency-ms", "\(latencyMs)", "--requests-per-second", "\(requestsPerSecond)"]
            + (keys + [testKey]).flatMap { ["--api-key", $0] }
        let process = try installation.start("upstream-sim", arguments)
        let line = try await process.waitForOutput("listening on")
        guard let address = line.split(separator: " ").last else {
            throw UnexpectedAnswer(description: "no address in '\(line)'")
        }
        return Simulator(process: process, client: APIClient(baseURL: String(address)))
    }

    // MARK: What arrived

    package func counters() async throws -> Counters {
        try await client.get("/_sim/counters").decode()
    }

    /// Paths and queries of all requests in the order of arrival, without the keys.
    package func arrivals() async throws -> [String] {
        try await arrivalLog().map(\.request)
    }

    /// All requests in the order of arrival.
    package func arrivalLog() async throws -> [Arrival] {
        try await client.get("/_sim/arrivals").decode()
    }

    // MARK: How it behaves

    /// Adds a fault rule for the answers from now on.
    ///
    /// - Parameters:
    ///   - fault: a kind of the simulator, such as `status503`.
    ///   - match: `keyword`, `attractionId` or `path`; an empty one matches every request.
    ///   - extra: further members, such as `times` and `retryAfter`.
    package func injectFault(_ fault: String, match: [String: String] = [:], extra: [String: Int] = [:]) async throws {
        var rule = extra.mapValues { JSON.integer($0) }
        rule["fault"] = .string(fault)
        rule["match"] = .object(match.mapValues { .string($0) })
        try Self.check(await client.post("/_sim/faults", JSON.object(rule).encoded))
    }

    /// Removes all fault rules.
    package func heal() async throws {
        try Self.check(await client.send(.DELETE, "/_sim/faults"))
    }

    /// Changes settings, such as `latencyMs`.
    package func configure(_ settings: [String: JSON]) async throws {
        try Self.check(await client.post("/_sim/config", JSON.object(settings).encoded))
    }

    static func check(_ response: APIResponse) throws {
        guard response.status == 200 else {
            throw UnexpectedAnswer(description: "simulator: \(response.status) \(response.text)")
        }
    }

    // MARK: What it knows

    package func artists(_ kind: ArtistKind, count: Int, offset: Int = 0) async throws -> [String] {
        try await client.get("/_sim/artists?kind=\(kind.rawValue)&count=\(count)&offset=\(offset)").decode()
    }

    /// A page of the simulator's answer to the test itself, with the test's own key.
    package func ask(_ path: String, _ parameters: [String: String]) async throws -> JSON {
        var components = URLComponents()
        components.queryItems =
            parameters.map { URLQueryItem(name: $0, value: $1) }
            + [URLQueryItem(name: "apikey", value: Self.testKey), URLQueryItem(name: "locale", value: "*")]
        let response = try await client.get("/discovery/v2\(path)?\(components.percentEncodedQuery ?? "")")
        try Self.check(response)
        return try response.decode()
    }

    /// The ids of an attraction's events without those marked `test`, from all pages.
    package func eventIDs(ofAttraction id: String) async throws -> Set<String> {
        var ids: Set<String> = []
        var page = 0
        var pages = 1
        while page < pages {
            let answer = try await ask(
                "/events.json",
                [
                    "attractionId": id, "size": "200", "page": "\(page)", "includeTBA": "yes", "includeTBD": "yes",
                    "includeTest": "no", "sort": "id,asc",
                ])
            for event in answer["_embedded"]?["events"]?.elements ?? [] { event["id"]?.text.map { _ = ids.insert($0) } }
            pages = answer["page"]?["totalPages"]?.integer ?? 0
            page += 1
        }
        return ids
    }

    /// The ids of the attractions with exactly this name.
    package func attractionIDs(named name: String) async throws -> [String] {
        let answer = try await ask("/attractions.json", ["keyword": name, "size": "200"])
        return (answer["_embedded"]?["attractions"]?.elements ?? [])
            .filter { $0["name"]?.text == name }.compactMap { $0["id"]?.text }
    }
}

extension JSON {
    /// The elements of an array.
    package var elements: [JSON]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    package var encoded: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }
}
