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
}
