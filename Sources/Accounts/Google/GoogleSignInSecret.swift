import Contracts
import Vault

/// What of a sign-in is sealed, each bound to that sign-in. There is no person yet.
enum GoogleSignInSecret {
    static func verifier(_ id: String) -> SecretName { name("verifier \(id)") }
    static func code(_ id: String) -> SecretName { name("code \(id)") }
    static func idToken(_ id: String) -> SecretName { name("idToken \(id)") }

    private static func name(_ field: String) -> SecretName {
        SecretName(userID: "", provider: .google, field: field)
    }

    /// Why nothing can be sealed or opened, for people who are not signed in.
    static let trouble =
        "Backline cannot reach the key with which it keeps secrets. Whoever runs it finds the reason with "
        + "'backline doctor'."
}
