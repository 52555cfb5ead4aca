import Accounts
import Gateway
import HTTPTypes
import Hummingbird
import Messages
import Model
import People
import Storage
import Synchronization
import Visibility

/// `/v1/users`: finding people, and their profiles as others see them.
struct PeopleRoutes {
    let database: Database
    let pictures: PicturePaths
    let limit: SearchLimit

    /// In Unicode scalars.
    private static let longestQuestion = 200

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("users", use: find)
        group.get("users/:username", use: show)
    }

    // MARK: Finding

    @Sendable private func find(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let limit = try request.pageLimit(standard: 20, maximum: 50)
        let question = try self.question(of: request)
        let foundCursor = try question == nil ? nil : request.cursor(of: PeopleSearch.found)
        let allCursor = try question == nil ? request.cursor(of: PeopleSearch.all) : nil
        try self.limit.count(userID)
        let (page, cards, seq) = try await database.read { reader -> (FoundPeople?, [PersonCard], Int64) in
            let seq = try reader.lastChange()
            guard let viewer = try reader.visibility.viewer(userID: userID) else { return (nil, [], seq) }
            let page =
                if let question {
                    try reader.accounts.people(matching: question, for: viewer, after: foundCursor, limit: limit)
                } else {
                    try reader.accounts.people(for: viewer, after: allCursor, limit: limit)
                }
            let found = page?.people ?? []
            let requests = try reader.people.requests(between: viewer, and: found.map(\.standing.key))
            let cards = found.map { found in
                PersonCard(
                    found.person, found.standing, follow: requests.state(toward: found.standing),
                    asksSince: requests.since(of: found.standing))
            }
            return (page, cards, seq)
        }
        return .cacheable(json(page, cards), seq: seq, for: request)
    }

    /// - Returns: `nil` without a question.
    private func question(of request: Request) throws -> String? {
        guard let text = try request.text("q"), !text.allSatisfy(\.isWhitespace) else { return nil }
        let count = text.unicodeScalars.count
        guard count <= Self.longestQuestion else {
            throw Problem.invalidRequest(
                code: .invalidParameter,
                "q: \(count) characters are too many; at most \(Self.longestQuestion) are allowed.", field: "q")
        }
        guard !text.utf8.contains(0) else {
            throw Problem.invalidRequest(
                code: .invalidParameter, "q: the character U+0000 is in no name; leave it out.", field: "q")
        }
        return text
    }

    /// - Parameter page: `nil` where people are too many to list.
    private func json(_ page: FoundPeople?, _ cards: [PersonCard]) -> [UInt8] {
        JSONWriter.object { json in
            json.member("items") { json in
                json.array(cards) { json, card in json.object { card.writeMembers(to: &$0, pictures) } }
            }
            json.member("nextCursor", page?.nextCursor)
            json.member("tooMany", page == nil)
        }
    }

    // MARK: Profiles

    @Sendable private func show(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let name = try context.username
        let document = try await database.read { reader -> [UInt8]? in
            let now = Timestamp.now()
            guard let viewer = try reader.visibility.viewer(userID: userID),
                let seen = try reader.accounts.profile(named: name, for: viewer, now: now)
            else { return nil }
            let requests = try reader.people.requests(between: viewer, and: [seen.relation.person.key])
            let writing: MessageWriting? =
                seen.relation.isSelf
                ? nil : try reader.messages.writing(to: Standing(seen.relation), by: viewer, now: now)
            return json(seen, requests, writing)
        }
        guard let document else { throw Problem.unknownUser }
        return .cacheable(document, for: request)
    }

    private func json(_ seen: SeenProfile, _ requests: FollowRequests, _ writing: MessageWriting?) -> [UInt8] {
        let (profile, relation, standing) = (seen.profile, seen.relation, Standing(seen.relation))
        return JSONWriter.object { json in
            json.member("id", profile.id)
            json.member("username", profile.username)
            json.member("displayName", profile.displayName)
            json.member("bio", relation.canSee(.profile) ? profile.bio : nil)
            json.member("picture", pictures.path(of: profile.picture))
            json.member("createdAt", profile.createdAt)
            json.member("profileVisibility", profile.visibility.rawValue)
            json.member("follow", requests.state(toward: standing).rawValue)
            json.member("followsMe", standing.followsViewer)
            json.member("asksSince", requests.since(of: standing))
            json.member("writing", writing?.rawValue)
            if let counts = seen.counts {
                json.member("counts") { json in
                    json.object { json in
                        json.member("followers", counts.followers)
                        json.member("following", counts.following)
                    }
                }
            }
            json.member("showsStats", relation.canSee(.stats))
            json.member("isSelf", relation.isSelf)
        }
    }
}

/// Limits how many questions for people one person asks, so that nobody collects everybody's names.
///
/// It is kept in memory, unlike the limits of acts: a question changes nothing, and after a restart nobody gains more
/// than one minute's questions.
final class SearchLimit: Sendable {
    /// The most questions at once, which come back one a second.
    static let burst = 60
    private static let limit = ActLimit(
        "searchesPerMinute", count: burst, per: .seconds(60), act: "search for people", again: "search again")

    private let now: @Sendable () -> MonotonicInstant
    private let limiter = Mutex(RequestLimiter(requestsPerSecond: 1, burst: burst))

    init(now: @escaping @Sendable () -> MonotonicInstant) {
        self.now = now
    }

    /// - Throws: a ``Problem`` when the person has reached the limit.
    func count(_ userID: String) throws {
        guard case .refused(let delay) = limiter.withLock({ $0.admit(userID, at: now()) }) else { return }
        let seconds = Int(clamping: (delay.microseconds + 999_999) / 1_000_000, to: 1...3_600)
        let moment = Timestamp.now()
        throw Problem(ActLimitReached(limit: Self.limit, until: moment.advanced(by: .seconds(seconds))), now: moment)
    }
}

extension Problem {
    /// The answer for a profile that somebody may not see is the same, so that nobody learns that it exists.
    static let unknownUser = Problem(
        .notFound, code: .notFound, title: "Not found",
        detail: "There is no profile with that name, or you may not see it.")
}
