import Accounts
import Workers

extension WorkerDomain {
    /// Signs people in with Google.
    package static let accounts = WorkerDomain { process in
        guard let google = try process.providers.google() else { return [] }
        if process.configuration[AccountSettings.self].signUp == .everyone {
            process.logger.notice("anyone who signs in with Google gets an account; limit this with google.signUp")
        }
        let calls = GoogleCalls(google, process: process)
        return [.googleSignIn(calls), .googleEndpoints(calls)]
    }
}
