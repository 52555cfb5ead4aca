import Contracts
import Model
import Vault

/// Opens sealed secrets of several sizes and prints a line of JSON for each; with `--sealing`, see ``Sealing``.
///
/// A line has the size in bytes, and the microseconds that opening one secret takes.
@main
enum SecretOpening {
    /// In bytes: of an API key, a refresh token, and Apple's private key.
    private static let sizes = [40, 300, 2_048]

    static func main() throws {
        guard !CommandLine.arguments.contains("--sealing") else { return try Sealing.run() }
        let vault = Vault(keyring: VaultKeyring(current: .random()))
        let name = SecretName(userID: UUIDv7.next(), provider: .spotify, field: "refreshToken")
        for size in sizes {
            let secret = Secret(String(repeating: "s", count: size))
            let sealed = try vault.seal(secret, as: name)
            let rounds = try Rounds {
                let opened = try vault.open(sealed, as: name)
                precondition(opened == secret)
            }
            print(#"{"bytes":\#(size),\#(rounds.members)}"#)
        }
    }
}
