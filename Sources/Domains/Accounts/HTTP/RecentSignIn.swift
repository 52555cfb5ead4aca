import Accounts
import Gateway
import Hummingbird
import Model

/// Asks for a fresh proof of who somebody is before something that cannot be undone.
struct RecentSignIn {
    let accounts: Accounts
    let throttle: SignInThrottle

    /// Checks that the browser has signed in within ten minutes, or that the person has typed one of their tokens anew.
    ///
    /// - Parameter field: the token that was typed, if any.
    /// - Throws: ``Problem`` `recentSignInRequired`; `invalidField` for a token that is not one of the person's.
    func require(_ request: Request, _ context: GatewayContext, token field: RequestField?) async throws {
        let userID = try context.userID
        let token = try field.map { APIToken(secret: Secret(try $0.string(limit: 200))) }
        let isProven = try await accounts.hasRecentSignIn(userID: userID, with: context.credential, typed: token)
        guard !isProven else { return }
        guard let field else { throw Problem.recentSignInRequired }
        try throttle.countWrong(request, context)
        throw field.refuse("this is not one of your tokens, or it no longer works; nothing was done.")
    }
}

extension Problem {
    static let recentSignInRequired = Problem(
        .forbidden, code: .recentSignInRequired, title: "Prove again who you are",
        detail: "This cannot be undone, so it needs a sign-in of the last ten minutes. Sign in again, or send one of "
            + "your tokens as token.")
}
