import Foundation
import Model
import Storage
import Vault

/// The question to a person whether another Spotify account replaces the connected one.
///
/// Until the answer, the new grant is sealed in a row of `credential_candidates`, and the connection stays as it was.
/// Without an answer, the grant is deleted after ten minutes.
package struct AccountQuestion: Sendable, Equatable {
    /// How long a person has to answer.
    package static let lifetime = Duration.seconds(600)

    package let id: String
    /// The account that the person signed in with at Spotify.
    package let account: SpotifyAccount
    /// The account id of the connection that would be replaced.
    let formerAccountID: String
    package let expiresAt: Timestamp

    private struct Details: Codable {
        var grant: SpotifyGrant.Details
        var formerAccountID: String
    }

    private struct Tokens: Codable {
        var access: String
        var refresh: String
    }

    private static func secretName(_ id: String, userID: String) -> SecretName {
        SecretName(userID: userID, provider: .spotify, field: "accountQuestion:\(id)")
    }

    /// Stores a grant until the person answers. It replaces an earlier question.
    ///
    /// - Throws: ``VaultError``; what the database throws.
    static func ask(
        about grant: SpotifyGrant, insteadOf formerAccountID: String, userID: String, sealedBy vault: CurrentVault,
        in transaction: WriteTransaction, now: Timestamp
    ) throws {
        let (id, provider) = (UUIDv7.next(), Provider.spotify)
        let tokens = Tokens(access: grant.accessToken.reveal(), refresh: grant.refreshToken.reveal())
        var sealed = try vault.seal(
            Secret(String(decoding: try JSONEncoder().encode(tokens), as: UTF8.self)),
            as: secretName(id, userID: userID), in: transaction)
        // The hint would be the end of the JSON document, not of a token.
        sealed.hint = ""
        let details = Details(grant: grant.details, formerAccountID: formerAccountID)
        try withdraw(userID: userID, in: transaction, now: now)
        try transaction.vault.insertCandidate(
            CandidateRecord(
                id: id, userID: userID, provider: provider.rawValue, secret: sealed,
                details: String(decoding: try JSONEncoder().encode(details), as: UTF8.self), createdAt: now,
                expiresAt: now.advanced(by: lifetime)))
    }

    /// A person's open question.
    package static func open(userID: String, in reader: some SQLReader, now: Timestamp) throws -> AccountQuestion? {
        try reader.vault.newestCandidate(userID: userID, provider: Provider.spotify.rawValue, now: now)
            .flatMap { AccountQuestion($0) }
    }

    /// Deletes a person's open question and its grant, and reports the change of their setup.
    package static func withdraw(userID: String, in transaction: WriteTransaction, now: Timestamp) throws {
        let provider = Provider.spotify.rawValue
        try transaction.vault.deleteCandidates(userID: userID, provider: provider)
        if let record = try transaction.connections.record(userID: userID, provider: provider) {
            try transaction.connections.put(record, now: now)
        }
    }

    /// `nil` for a row that does not contain a question.
    private init?(_ record: CandidateRecord) {
        guard let details = try? JSONDecoder().decode(Details.self, from: Data(record.details.utf8)),
            let account = details.grant.account
        else { return nil }
        id = record.id
        self.account = account
        formerAccountID = details.formerAccountID
        expiresAt = record.expiresAt
    }

    /// The question, and its grant opened.
    ///
    /// - Throws: ``VaultError``; `doesNotOpen` also for a row that does not contain a question.
    static func opened(
        _ record: CandidateRecord, userID: String, by vault: CurrentVault
    ) throws(VaultError) -> (AccountQuestion, SpotifyGrant) {
        let document = try vault.open(record.secret, as: secretName(record.id, userID: userID))
        guard let question = AccountQuestion(record),
            let details = try? JSONDecoder().decode(Details.self, from: Data(record.details.utf8)),
            let tokens = try? JSONDecoder().decode(Tokens.self, from: Data(document.reveal().utf8))
        else { throw .doesNotOpen }
        return (
            question,
            SpotifyGrant(
                accessToken: Secret(tokens.access), refreshToken: Secret(tokens.refresh), details: details.grant)
        )
    }
}
