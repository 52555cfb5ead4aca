import Accounts
import Google
import Model
import Workers

/// The calls to Google that signing in needs.
struct GoogleCalls: Sendable {
    let signIn: GoogleSignIn
    let google: GoogleProvider

    init(_ google: GoogleProvider, process: WorkerProcess) {
        self.google = google
        signIn = GoogleSignIn(
            database: process.database, vault: process.vault,
            signUp: process.configuration[AccountSettings.self].signUp,
            redeem: { code, redirectURI, codeVerifier in
                try await google.idToken(code: code, redirectURI: redirectURI, codeVerifier: codeVerifier)
            },
            verify: { idToken, nonce in
                do {
                    return GoogleSignIn.Identity(try await google.verify(idToken, nonce: nonce))
                } catch let error as IDTokenError {
                    throw GoogleSignIn.Refusal(error.code, error.description)
                }
            })
    }
}

extension GoogleSignIn.Identity {
    fileprivate init(_ identity: GoogleIdentity) {
        self.init(
            subject: identity.subject, email: identity.email, name: identity.name, pictureURL: identity.pictureURL,
            hostedDomain: identity.hostedDomain)
    }
}
