import Accounts
import Contracts
import Foundation
import Google
import Jobs

extension JobHandler {
    /// `accounts.googleSignIn`: decode, find out who it is, reply. That Google refuses is a result, too: somebody
    /// waits for it.
    package static func googleSignIn(_ calls: GoogleCalls) -> JobHandler {
        JobHandler(.accountsGoogleSignIn) { context in
            let payload: GoogleSignInPayload = try context.decodePayload()
            let outcome = try await calls.signIn.run(payload)
            let result = String(decoding: try JSONEncoder().encode(outcome.result), as: UTF8.self)
            return JobOutcome(result: result) { transaction, _ in try outcome.write(transaction) }
        }
    }

    /// `accounts.googleEndpoints`: ask, reply.
    package static func googleEndpoints(_ calls: GoogleCalls) -> JobHandler {
        JobHandler(.accountsGoogleEndpoints) { _ in
            let result: GoogleEndpointsResult
            do {
                let endpoints = try await GoogleSignIn.Failure.translating { try await calls.discovery.endpoints() }
                result = GoogleEndpointsResult(authorizationURL: endpoints.authorization)
            } catch let failure as GoogleSignIn.Failure {
                result = GoogleEndpointsResult(authorizationURL: nil, trouble: failure.result)
            }
            return JobOutcome(result: String(decoding: try JSONEncoder().encode(result), as: UTF8.self))
        }
    }
}
