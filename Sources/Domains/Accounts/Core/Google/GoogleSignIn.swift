import Contracts
import Foundation
import Model
import Storage
import Vault

/// Signing in with Google, on the worker's side: verifies a code or an ID token, and finds or adds its person.
package struct GoogleSignIn: Sendable {
    /// The identity in a verified ID token.
    package struct Identity: Sendable, Equatable {
        /// Google's `sub`, which alone identifies a person.
        package var subject: String
        /// An address that Google has verified.
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

    /// The code or ID token proves nobody's identity, or its person may not sign in.
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
    /// Verifies an ID token; throws ``Refusal``, or ``ProviderFailure`` when it cannot be verified now.
    package typealias Verify = @Sendable (_ idToken: Secret, _ nonce: String?) async throws -> Identity

    /// The result, and the rows to write with it.
    package struct Outcome: Sendable {
        package var result: GoogleSignInResult
        package var write: @Sendable (WriteTransaction) throws -> Void
    }

    private let database: Database
    private let vault: CurrentVault
    private let signUp: SignUpPolicy
    private let redeem: Redeem
    private let verify: Verify

    /// - Parameter signUp: who gets an account at the first sign-in.
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

    /// - Throws: errors of the database, and cancellation.
    package func run(_ payload: GoogleSignInPayload) async throws -> Outcome {
        let proof = SignInProof(payload)
        do {
            let identity =
                switch payload.proof {
                case .code: try await identity(ofAttempt: payload.id)
                case .idToken: try await identity(ofCandidate: payload.id)
                }
            let known = try await database.read { try $0.accounts.user(googleSubject: identity.subject) }
            guard known?.isSuspended != true else { throw Self.suspended }
            guard known != nil || admits(identity) else { throw Self.closed }
            let heldNames = RecognitionKey.load(besideDatabase: database)
            return Outcome(result: .verified) { [self] transaction in
                try storeIdentity(proof, identity, heldNames: heldNames, in: transaction)
            }
        } catch let refusal as Refusal {
            return Outcome(result: .refused(refusal.code, refusal.message)) { try $0.vault.drop(proof) }
        } catch let error as VaultError {
            return Self.failed(ProviderFailure(error, of: .google), proof)
        } catch let failure as ProviderFailure {
            return Self.failed(failure, proof)
        }
    }

    private static func failed(_ failure: ProviderFailure, _ proof: SignInProof) -> Outcome {
        Outcome(result: GoogleSignInResult(failure)) { try $0.vault.drop(proof) }
    }

    // MARK: The identity

    private func identity(ofAttempt id: String) async throws -> Identity {
        guard let attempt = try await database.read({ try $0.vault.authorization(id: id) }),
            attempt.provider == Provider.google.rawValue, attempt.expiresAt > .now(),
            let (code, verifier) = try attempt.open(by: vault)
        else { throw Self.over }
        let idToken = try await redeem(code, attempt.redirectURI, verifier)
        // Every attempt sends a nonce.
        return try await verify(idToken, attempt.nonce ?? "")
    }

    private func identity(ofCandidate id: String) async throws -> Identity {
        let now = Timestamp.now()
        guard let candidate = try await database.read({ try $0.vault.candidate(id: id, now: now) }),
            candidate.provider == Provider.google.rawValue
        else { throw Self.over }
        let idToken = try vault.open(candidate.secret, as: GoogleIDTokenCandidate.secretName(id))
        let details = try JSONDecoder().decode(GoogleIDTokenCandidate.Details.self, from: Data(candidate.details.utf8))
        return try await verify(idToken, details.nonce)
    }

    private func admits(_ identity: Identity) -> Bool {
        signUp.admits(email: identity.email, hostedDomain: identity.hostedDomain)
    }

    private static let over = Refusal(
        .stateUnknown, "This attempt to sign in is over. Start again.")
    private static let closed = Refusal(
        .signUpClosed,
        "No user here has this Google account, and it is not on the list of accounts that may join. The operator of "
            + "this Backline can add it (google.signUp).")

    private static let suspended = Refusal(
        .accountSuspended, "An administrator of this Backline has suspended your account.")

    // MARK: The person

    private func storeIdentity(
        _ proof: SignInProof, _ identity: Identity, heldNames: RecognitionKey?, in transaction: WriteTransaction
    ) throws {
        let now = Timestamp.now()
        // The person may have given up meanwhile.
        guard try transaction.vault.isWaiting(proof, now: now) else { return }
        let userID: String
        if let (user, email, isSuspended) = try transaction.accounts.user(googleSubject: identity.subject) {
            guard !isSuspended else { return }
            userID = user.id
            if let new = identity.email, new != email {
                try transaction.accounts.setEmail(new, userID: userID, now: now)
            }
        } else {
            // A known person may have been erased while Google was asked.
            guard admits(identity) else { return }
            // Never from the address: others see usernames.
            let name = try Username.free(from: identity.name, heldNames: heldNames, now: now, in: transaction)
            let user = UserRecord(id: UUIDv7.next(), name: name, isAdmin: false, createdAt: now)
            try transaction.accounts.insertUser(
                user, nameState: .made,
                googleProfile: GoogleProfile(
                    subject: identity.subject, email: identity.email,
                    displayName: ProfileChange.valid(identity.name, as: .displayName),
                    pictureURL: ProfileChange.valid(identity.pictureURL, as: .pictureURL)))
            userID = user.id
        }
        try transaction.vault.markVerified(proof, userID: userID)
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
    /// A text that Google sent about a person; `nil` when it is not valid in a profile.
    static func valid(_ text: String?, as field: Field) -> String? {
        guard let text else { return nil }
        var kept: String?
        try? set(.text(text), field, &kept)
        return kept
    }
}
