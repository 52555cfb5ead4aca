import Model
import Storage
import Visibility

@testable import Curation

/// A database with people who make blends. The id of a person is their username.
struct BlendFixture: Sendable {
    let database: Database

    static func run(
        _ people: [String] = ["ada", "bea"], _ body: (BlendFixture) async throws -> Void
    ) async throws {
        try await withDatabase { database, _ in
            database.register([EventSubscriber].curation)
            let blends = BlendFixture(database: database)
            for person in people { try await blends.add(person) }
            try await body(blends)
        }
    }

    func add(_ person: String) async throws {
        _ = try await database.write { try $0.visibility.add(userID: person) }
    }

    func write<Value: Sendable>(_ body: @escaping @Sendable (WriteTransaction) throws -> Value) async throws -> Value {
        try await database.write { try body($0) }
    }

    func agree(_ asker: String = "ada", _ partner: String = "bea") async throws {
        try await write { transaction in
            try transaction.ask(partner, by: asker)
            try transaction.answer(.accept, to: asker, by: partner)
        }
    }

    /// A blend of people who have agreed, whose job has been submitted.
    func begin(_ asker: String = "ada", with partner: String = "bea") async throws -> CuratedList {
        try await write { transaction in
            let list = try transaction.request(partner, by: asker)
            try transaction.curation.set(job: UUIDv7.next(), of: list, partner: partner)
            return try transaction.curation.list(list.id, userID: asker) ?? list
        }
    }

    /// Ends a blend as its job does.
    func finish(_ list: CuratedList, with partner: String = "bea") async throws {
        let contents = [list.userID, partner].map { userID in
            ListContent(
                id: userID == list.userID ? list.id : UUIDv7.next(), userID: userID,
                tracks: (0..<3).map { track($0) }, dropped: [], at: .now())
        }
        try await write { try $0.curation.finish(list, asker: contents[0], partner: contents[1]) }
    }

    private func track(_ number: Int) -> CuratedTrack {
        let evidence: [SongEvidence] = [
            number == 0 ? .sharedSong : .partnerHas, SongEvidence(.knownArtist, "You have a song by Ann."),
        ]
        return CuratedTrack(
            reference: "spotify:\(number)", title: "Song \(number)", artist: "Ann", album: "", origin: .spotify,
            reason: evidence.map(\.text).joined(separator: " "), evidence: evidence, attribution: .partner)
    }

    /// A person's blends, the latest first.
    func lists(of userID: String) async throws -> [CuratedList] {
        try await database.read {
            try $0.curation.lists(of: .blend, userID: userID, cursor: nil, limit: 1_000).items
        }
    }

    func songs(of list: CuratedList) async throws -> [CuratedTrack] {
        try await database.read { try $0.curation.tracks(of: list) }
    }

    /// A person's partners, as `NAME STATE`; `-` for a name that the row does not have.
    func partners(of userID: String) async throws -> [String] {
        try await database.read { reader in
            try reader.curation.partners(of: userID).map { partner in
                "\(partner.personID ?? "-") \(partner.name ?? "-") \(partner.state.rawValue)"
            }.sorted()
        }
    }

    /// The ids of the partners that are gone for a person.
    func gonePartners(of userID: String) async throws -> [String] {
        try await database.read { reader in
            try reader.goneItems(userID: userID, after: 0, limit: 1_000).filter { $0.kind == .blendPartner }.map(\.id)
        }
    }

    /// All texts of a person's blends in the database.
    func texts(of userID: String) async throws -> String {
        try await database.read { reader in
            let lists = try reader.map(
                "SELECT request, title, error_message, partner_id FROM curated_lists WHERE user_id = \(userID)"
            ) {
                [try $0["request"], try $0["title"], try $0["error_message"] ?? "", try $0["partner_id"] ?? ""]
                    as [String]
            }
            let tracks = try reader.map("SELECT track FROM curated_tracks WHERE user_id = \(userID)") {
                [try $0["track"]] as [String]
            }
            return (lists + tracks).flatMap { $0 }.joined(separator: "\n")
        }
    }
}

/// Acts of people whose ids are their usernames.
extension WriteTransaction {
    func key(_ person: String) throws -> PersonKey {
        guard let key = try visibility.key(ofUser: person) else { throw MissingPerson(name: person) }
        return key
    }

    private struct MissingPerson: Error { let name: String }

    private func subject(_ name: String) throws -> BlendSubject {
        let isGone = try visibility.person(userID: name).map { $0.state == .gone } ?? true
        return BlendSubject(name: name, personID: isGone ? nil : name)
    }

    @discardableResult
    func ask(_ name: String, by person: String, now: Timestamp = .now()) throws -> BlendPartner {
        try curation.ask(try subject(name), by: person, named: person, now: now)
    }

    func answer(_ answer: BlendAnswer, to name: String, by person: String) throws {
        try curation.answer(answer, to: try subject(name), by: person, named: person, now: .now())
    }

    func end(_ name: String, of person: String) throws {
        try curation.end(try subject(name), of: person, now: .now())
    }

    func block(_ name: String, by person: String) throws {
        try visibility.block(try key(name), by: try key(person), now: .now())
    }

    func unblock(_ name: String, by person: String) throws {
        try visibility.unblock(try key(name), by: try key(person), now: .now())
    }

    /// Asks for a blend, as its route does.
    func request(_ name: String, by person: String) throws -> CuratedList {
        let partner = try ask(name, by: person)
        var request = CurationRequest(kind: .blend, size: 10, source: .mixed)
        request.with = name
        return try curation.begin(
            request, title: PromptText.title(of: request), userID: person, partner: partner.personID, cost: nil,
            now: .now())
    }
}
