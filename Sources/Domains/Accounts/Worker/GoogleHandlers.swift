import Accounts
import Contracts
import Jobs
import Model

extension JobHandler {
    /// `accounts.googleSignIn`: decodes, identifies the person, replies. A refusal by Google is also a result, since
    /// somebody waits for it.
    static func googleSignIn(_ calls: GoogleCalls) -> JobHandler {
        JobHandler(.accountsGoogleSignIn) { payload, _ in
            let outcome = try await calls.signIn.run(payload)
            return JobResult(outcome.result) { transaction, _ in try outcome.write(transaction) }
        }
    }

    /// `accounts.googleEndpoints`: reads Google's endpoints, replies.
    static func googleEndpoints(_ calls: GoogleCalls) -> JobHandler {
        JobHandler(.accountsGoogleEndpoints) { _, _ in
            do {
                let endpoints = try await calls.google.endpoints()
                return JobResult(GoogleEndpointsResult(authorizationURL: endpoints.authorization))
            } catch let failure as ProviderFailure {
                return JobResult(GoogleEndpointsResult(authorizationURL: nil, trouble: GoogleSignInResult(failure)))
            }
        }
    }
}
