import Contracts
import Identity
import Jobs
import Library
import LibraryEdits
import Model
import Shares
import Storage
import Workers

/// The catalog of a service, asked in a person's name. It throws ``ProviderFailure``.
package typealias ShareCatalogs =
    @Sendable (_ source: MusicSource, _ userID: String) async throws -> CopyCatalog

extension JobHandler {
    /// Handles `shares.match`: finds a shared song in a catalog by the rules of identity.
    static func sharesMatch(database: Database, catalogs: @escaping ShareCatalogs) -> JobHandler {
        .calling(.sharesMatch) { payload, context in
            let person = context.person
            let read = try await database.read { reader -> (song: ShareSong?, country: String?) in
                (
                    try reader.shares.song(payload.content),
                    payload.source == .appleMusic
                        ? try reader.library.storefront(of: .appleMusic, userID: person)?.lowercased() : ""
                )
            }
            // The person may see another country's catalog by now.
            guard let song = read.song, read.country == payload.country else {
                return JobResult(ShareMatchResult(isAnswered: false))
            }
            let found: CopyCandidate?
            do {
                let matcher = CopyMatcher(rules: IdentityRules(), catalog: try await catalogs(payload.source, person))
                let wanted = IdentityProfile(song.record)
                let coded = try await matcher.candidates(withCodesOf: [wanted])
                found = try await matcher.match(wanted, coded).found
            } catch let failure as ProviderFailure where failure.recovery != .retryAt {
                // Only this person's connection is the reason; the next one who opens the share has another.
                return JobResult(ShareMatchResult(isAnswered: false))
            } catch let failure as ProviderFailure {
                throw JobFailure(failure)
            }
            return JobResult(ShareMatchResult(isAnswered: true)) { transaction, _ in
                try transaction.shares.store(
                    ShareMatch(item: found?.id), of: payload.content, at: payload.source, country: payload.country,
                    now: .now())
            }
        }
    }
}

extension WorkerDomain {
    /// Finds shared songs at services.
    ///
    /// - Parameter catalogs: makes the catalogs of a worker process.
    package static func shares(
        _ catalogs: @escaping @Sendable (WorkerProcess) throws -> ShareCatalogs
    ) -> WorkerDomain {
        WorkerDomain { process in
            [.sharesMatch(database: process.database, catalogs: try catalogs(process))]
        }
    }
}
