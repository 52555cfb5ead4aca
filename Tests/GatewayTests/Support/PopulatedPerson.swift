import Accounts
import Concerts
import Foundation
import HTTPTypes
import JobStorage
import Jobs
import Model
import Storage
import Testing

/// A person with rows in every table, among the rows of another person.
struct PopulatedPerson {
    static let name = "zofie_of_many_pages"
    static let email = "zofie.of.many.pages@example.org"
    /// How many jobs the person has.
    static let jobs = 802
    /// How many jobs the other person has.
    static let otherJobs = 801

    let id: String
    /// The id of the other person, `bob`.
    let otherID: String
    /// The person's token.
    let token: String
    /// With the token.
    let headers: HTTPFields
    /// The run of one of the person's jobs that is running.
    let running: JobRun

    init(in gateway: TestGateway) async throws {
        let accounts = Accounts(database: gateway.database)
        let token = try await gateway.addUser(Self.name)
        let headers: HTTPFields = [.authorization: "Bearer \(token.secret.reveal())"]
        let other = try await gateway.addUser("bob")
        let id = try #require(try await accounts.user(for: token)).id
        let otherID = try #require(try await accounts.user(for: other)).id
        _ = try await accounts.signIn(token: token, userAgent: "Firefox")
        _ = try await accounts.signInLink(user: Self.name)
        let now = Timestamp.now()
        let running = JobRun(jobID: UUIDv7.next(), run: 1)
        gateway.database.register([CompletionHook(kind: "diagnostics.echo") { _, _ in }]) { _ in }
        let owed = #"{"version":1,"payload":"{}","ending":{"cancelled":{}}}"#
        try await gateway.database.write { transaction in
            try transaction.run("UPDATE users SET email = \(Self.email), google_subject = 'g1' WHERE id = \(id)")
            for owner in [id, otherID] {
                try transaction.concerts.replaceRankedArtists(
                    [RankedArtist(id: "a-" + owner, name: "Muse", rank: 1)], userID: owner)
                let search = ConcertSearchRecord(
                    id: UUIDv7.next(), userID: owner, kind: "artists", homeCity: nil, createdAt: now)
                try transaction.concerts.insertSearch(search)
                try transaction.concerts.setSearchTarget(
                    SearchTargetRecord(rank: 1, artistID: "a", name: "Muse", targetKey: "muse"),
                    searchID: search.id)
                try transaction.run(
                    """
                    INSERT INTO connections (user_id, provider, state, change, updated_at)
                    VALUES (\(owner), 'gemini', 'connected', 1, 0)
                    """)
                try transaction.jobs.rememberIdempotentAnswer(
                    key: "key of " + owner, userID: owner, fingerprint: "f", resourceIDs: [search.id], now: now)
                try transaction.run(
                    """
                    INSERT INTO job_ends (job_id, user_id, kind, ended, tries, next_at)
                    VALUES (\("end of " + owner), \(owner), 'diagnostics.echo', \(owed), 1, \(now))
                    """)
            }
            // Jobs of the system: one names the person in its payload, one queues for them.
            try transaction.jobs.insert(sampleJob(UUIDv7.next(), SystemUser.id, payload: #"{"for":"\#(id)"}"#, now))
            try transaction.jobs.insert(sampleJob(UUIDv7.next(), SystemUser.id, payload: "{}", now, onBehalfOf: id))
            try transaction.jobs.insert(
                sampleJob(
                    running.jobID, id, payload: #"{"mail":"\#(Self.email)"}"#, now,
                    claim: .init(worker: "w/1", leaseExpiresAt: .now().advanced(by: .seconds(60)))))
        }
        // A failed job, whose error message contains the person's address.
        let failed = JobRun(jobID: UUIDv7.next(), run: 1)
        try await gateway.database.write { transaction in
            try transaction.jobs.insert(
                sampleJob(
                    failed.jobID, id, payload: "{}", now,
                    claim: .init(worker: "w/1", leaseExpiresAt: .now().advanced(by: .seconds(60)))))
            _ = try transaction.jobs.fail(
                failed, userID: id, kind: "diagnostics.echo", code: "broken", message: Self.email, retryAt: nil,
                now: now)
        }
        // A row in each table that has none yet.
        try await gateway.database.write { transaction in
            for owner in [id, otherID] { try transaction.insertMissingPersonalRows(of: owner) }
        }
        // Enough rows for pages to be split, freed and filled again.
        for _ in 0..<4 {
            try await gateway.database.write { transaction in
                for index in 0..<400 {
                    let owner = index % 2 == 0 ? id : otherID
                    let text = String(repeating: owner + Self.email, count: index % 7)
                    try transaction.jobs.insert(
                        sampleJob(UUIDv7.next(), owner, payload: #"{"text":"\#(owner == id ? text : "x")"}"#, now))
                }
            }
            try await gateway.database.checkpoint()
        }
        (self.id, self.otherID, self.token) = (id, otherID, token.secret.reveal())
        (self.headers, self.running) = (headers, running)
    }
}

/// A job that is waiting for a worker, or is claimed by one.
func sampleJob(
    _ id: String, _ owner: String, payload: String, _ now: Timestamp, claim: JobInsertion.Claim? = nil,
    onBehalfOf: String? = nil
) -> JobInsertion {
    JobInsertion(
        id: id, userID: owner, kind: "diagnostics.echo", version: 1, payload: payload, priority: 0,
        maximumAttempts: 1, createdAt: now, runAt: now, claim: claim, onBehalfOf: onBehalfOf)
}
