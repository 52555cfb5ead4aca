import Contracts
import Foundation
import Model
import Storage
import Vault

/// Signing in with Google, in a worker: what somebody brought becomes the person that it proves them to be.
package struct GoogleSignIn: Sendable {
    /// Who somebody is, as a verified ID token says.
    package struct Identity: Sendable, Equatable {
        /// Google's `sub`, by which alone a person is known.
        package var subject: String
        /// Verified by Google.
        package var email: String?
        package var name: String?
        package var pictureURL: String?
        /// The Google Workspace that the account belongs to.
        package var hostedDomain: String?

        package init(
            subject: String, email: String? = nil, name: String? = nil, pictureURL: String? = nil,
            hostedDomain: String? = nil
        ) {
            self.subject = subject
            self.email = email
            self.name = name
            self.pictureURL = pictureURL
            self.hostedDomain = hostedDomain
        }
    }

    /// What was brought proves nothing, or whoever it is may not come in.
    package struct Refusal: Error, Sendable, Equatable {
        package var code: GoogleSignInResult.Code
        /// For people.
        package var message: String

        package init(_ code: GoogleSignInResult.Code, _ message: String) {
            self.code = code
            self.message = message
        }
    }

    /// Exchanges a code for an ID token; throws ``ProviderFailure``.
    package typealias Redeem =
        @Sendable (
            _ code: Secret, _ redirectURI: String, _ verifier: Secret
        ) async throws -> Secret
    /// Verifies an ID token; throws ``Refusal``, or ``ProviderFailure`` when it cannot be known.
    package typealias Verify = @Sendable (_ idToken: Secret, _ nonce: String?) async throws -> Identity

    /// What came of it, and the rows that say so.
    package struct Outcome: Sendable {
        package var result: GoogleSignInResult
        package var write: @Sendable (WriteTransaction) throws -> Void
    }

    private let database: Database
    private let vault: CurrentVault
    private let signUp: SignUpPolicy
    private let redeem: Redeem
    private let verify: Verify

    /// - Parameter signUp: who gets an account at the first time.
    package init(
        database: Database, vault: CurrentVault, signUp: SignUpPolicy, redeem: @escaping Redeem,
        verify: @escaping Verify
    ) {
        self.database = database
        self.vault = vault
        self.signUp = signUp
        self.redeem = redeem
        self.verify = verify
    }

    /// - Throws: what has nothing to do with Google: the database, cancellation.
    package func run(_ payload: GoogleSignInPayload) async throws -> Outcome {
        let proof = SignInProof(payload)
        do {
            let identity =
                switch payload.proof {
                case .code: try await identity(ofAttempt: payload.id)
                case .idToken: try await identity(ofCandidate: payload.id)
                }
            let isKnown = try await database.read { try $0.accounts.user(googleSubject: identity.subject) != nil }
            guard isKnown || admits(identity) else { throw Self.closed }
            return Outcome(result: .verified) { [self] transaction in
                try settle(proof, identity, in: transaction)
            }
        } catch let refusal as Refusal {
            return Outcome(result: .refused(refusal.code, refusal.message)) { try $0.vault.drop(proof) }
        } catch let failure as ProviderFailure {
            return Outcome(result: GoogleSignInResult(failure)) { try $0.vault.drop(proof) }
        }
    }

    // MARK: Who it is

    private func identity(ofAttempt id: String) async throws -> Identity {
        guard let attempt = try await database.read({ try $0.vault.authorization(id: id) }),
            let sealedCode = attempt.code,
            attempt.provider == CredentialProvider.google.rawValue, attempt.expiresAt > .now()
        else { throw Self.over }
        let code = try open(sealedCode, GoogleSignInSecret.code(id))
        let verifier = try open(attempt.verifier, GoogleSignInSecret.verifier(id))
        let idToken = try await redeem(code, attempt.redirectURI, verifier)
        // Whatever the code was for, this attempt has sent a nonce along.
        return try await verify(idToken, attempt.nonce ?? "")
    }

    private func identity(ofCandidate id: String) async throws -> Identity {
        let now = Timestamp.now()
        guard let candidate = try await database.read({ try $0.vault.candidate(id: id, now: now) }),
            candidate.provider == CredentialProvider.google.rawValue
        else { throw Self.over }
        let idToken = try open(candidate.secret, GoogleSignInSecret.idToken(id))
        let details = try JSONDecoder().decode(GoogleIDTokenCandidate.Details.self, from: Data(candidate.details.utf8))
        return try await verify(idToken, details.nonce)
    }

    private func open(_ sealed: SealedSecret, _ name: SecretName) throws -> Secret {
        do throws(VaultError) {
            return try vault.open(sealed, as: name)
        } catch {
            throw ProviderFailure(error, of: .google)
        }
    }

    private func admits(_ identity: Identity) -> Bool {
        signUp.admits(email: identity.email, hostedDomain: identity.hostedDomain)
    }

    private static let over = Refusal(
        .stateUnknown, "This attempt to sign in is over. Begin again.")
    private static let closed = Refusal(
        .signUpClosed,
        "Nobody here has this Google account, and it is not among those that may join. Whoever runs this Backline can "
            + "let it in (google.signUp).")

    // MARK: Whom that makes them

    private func settle(_ proof: SignInProof, _ identity: Identity, in transaction: WriteTransaction) throws {
        let now = Timestamp.now()
        // Nothing becomes of what was given up meanwhile.
        guard try transaction.vault.isWaiting(proof, now: now) else { return }
        let userID: String
        if let (user, email) = try transaction.accounts.user(googleSubject: identity.subject) {
            userID = user.id
            if let new = identity.email, new != email { try transaction.accounts.setEmail(new, userID: userID) }
        } else {
            // Somebody who was known, and was erased while Google was asked.
            guard admits(identity) else { return }
            let base = DerivedUsername.base(name: identity.name, email: identity.email)
            let user = UserRecord(
                id: UUIDv7.next(), name: try DerivedUsername.free(base, in: transaction), isAdmin: false,
                createdAt: now)
            try transaction.accounts.insertGoogleUser(
                GoogleUserRecord(
                    user: user, subject: identity.subject, email: identity.email,
                    displayName: ProfileChange.kept(identity.name, as: .displayName),
                    pictureURL: ProfileChange.kept(identity.pictureURL, as: .pictureURL)))
            userID = user.id
        }
        try transaction.vault.settle(proof, userID: userID)
    }
}

extension SignInProof {
    init(_ payload: GoogleSignInPayload) {
        self =
            switch payload.proof {
            case .code: .authorization(id: payload.id)
            case .idToken: .candidate(id: payload.id)
            }
    }
}

extension ProfileChange {
    /// What somebody else says about a person, if it could be in a profile.
    static func kept(_ text: String?, as field: Field) -> String? {
        guard let text else { return nil }
        var kept: String?
        try? set(.text(text), field, &kept)
        return kept
    }
}
