import Bootstrap
import Concerts
import Contracts
import Connections
import Logging
import Model
import PermitStorage
import Storage
import Synchronization
import Telemetry
import Upstream

/// Ticketmaster, as a single lookup uses it.
///
/// A lookup has several keys: first those of the people who wait for it, in the order in which they arrived, then the
/// installation's. Calls use one key until Ticketmaster refuses it or its daily quota is used up, then the next one,
/// and never return to an earlier key. The last key's failure is thrown.
///
/// A lookup for which nobody waits refreshes what people watch. It is made in the background with the installation's key,
/// or with those of people who watch it where the installation has none, and counts for the person who has just begun to
/// watch, or for nobody.
///
/// Calls with a person's own key do not count for anyone. Each call with the installation's key counts for one of the
/// people who wait for the lookup: among those who have some of their daily share left, the one who has waited longest.
final class LookupSource: ConcertSource {
    enum Key: Sendable {
        case personal(PersonalKeys.Key)
        /// `nil` calls Ticketmaster without a key.
        case installation(Secret?)
    }

    private let jobID: String
    private let person: String
    private let keys: [Key]
    private let environment: LookupSources
    /// Whether nobody waits for the lookup.
    private let isBackground: Bool
    private let currentKey = Mutex(0)
    private let refusedPeople: Mutex<Set<String>>

    /// - Parameters:
    ///   - person: the person under whom the lookup queues.
    ///   - keys: at least one.
    ///   - refusedPeople: those who wait for the lookup and whose key Ticketmaster has already refused.
    ///   - isBackground: whether nobody waits for the lookup.
    init(
        jobID: String, person: String, keys: [Key], refusedPeople: [String], isBackground: Bool = false,
        environment: LookupSources
    ) {
        precondition(!keys.isEmpty, "A lookup needs at least one key")
        self.jobID = jobID
        self.person = person
        self.keys = keys
        self.refusedPeople = Mutex(Set(refusedPeople))
        self.isBackground = isBackground
        self.environment = environment
    }

    func find(_ query: ConcertQuery) async throws -> ConcertQueryResult {
        while true {
            let index = currentKey.withLock { $0 }
            do {
                return try await find(query, with: keys[index])
            } catch let failure as ProviderFailure {
                if failure.kind == .keyRefused { await recordRefusal(of: keys[index]) }
                guard failure.concernsKey, index + 1 < keys.count else { throw failure }
                // Calls that fail at the same time move on by one key, not by one each.
                currentKey.withLock { if $0 == index { $0 += 1 } }
            }
        }
    }

    /// Fails the search of each person whose key Ticketmaster refuses, before the answer is stored: they see the shows
    /// that are known so far and a warning, while the others get the answer to the next key.
    func failRefusedPeople(in transaction: WriteTransaction) throws {
        for userID in refusedPeople.withLock({ $0 }).sorted() {
            try ConcertSearches.failWaiter(userID, of: jobID, with: .ticketmasterKeyInvalid, in: transaction)
        }
    }

    // MARK: Keys

    private func find(_ query: ConcertQuery, with key: Key) async throws -> ConcertQueryResult {
        switch key {
        case .personal(let key):
            return try await environment.ask(key.secret, isShared: false, isBackground: isBackground)(query, person)
        case .installation(let secret):
            let ask = environment.ask(secret, isShared: true, isBackground: isBackground)
            if isBackground { return try await ask(query, person == SystemUser.id ? nil : person) }
            guard secret != nil, let dailyShare = environment.dailyShare else { return try await ask(query, person) }
            var payer = try await self.payer(dailyShare: dailyShare)
            while true {
                do {
                    return try await ask(query, payer)
                } catch let failure as ProviderFailure where failure.kind == .shareUsed {
                    // The share was used up while the call waited for its permit.
                    let next = try await self.payer(dailyShare: dailyShare)
                    // Another process may have a smaller share configured.
                    guard next != payer else { throw failure }
                    payer = next
                }
            }
        }
    }

    private func recordRefusal(of key: Key) async {
        guard case .personal(let key) = key else { return }
        refusedPeople.withLock { _ = $0.insert(key.userID) }
        do {
            try await environment.personal.refused(key)
            environment.logger.notice(
                "Ticketmaster refused a person's key; the lookup continues with the next key",
                metadata: ["owner": "\(UserPseudonym.of(key.userID))"])
        } catch {
            environment.logger.warning(
                "Ticketmaster refused a person's key, but that could not be stored", metadata: ["error": "\(error)"])
        }
    }

    // MARK: Shares

    /// The person for whom the next call with the installation's key counts.
    ///
    /// - Throws: ``ProviderFailure`` of the kind `shareUsed` when nobody who waits has any of their share left.
    private func payer(dailyShare: Int) async throws -> String {
        let now = Timestamp.now()
        return try await environment.database.read { [jobID, person] reader in
            let usedUp = PermitStore<ReadTransaction>.peopleWithoutShare(
                provider: UpstreamName.ticketmaster.rawValue, limit: dailyShare, now: now)
            if let payer = try reader.concerts.firstWaiter(jobID: jobID, without: usedUp) { return payer }
            guard try reader.concerts.firstWaiter(jobID: jobID) != nil else {
                // Nobody waits any longer, so the lookup is about to be cancelled.
                return person
            }
            throw ProviderFailure(UpstreamError.shareUsed(until: CallShare.end(ofDayOf: now)), of: .ticketmaster)
        }
    }
}
