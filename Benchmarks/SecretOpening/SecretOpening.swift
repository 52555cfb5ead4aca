import Contracts
import Model
import Vault

/// Opens sealed secrets of several sizes and prints a line of JSON for each.
///
/// A line has the size in bytes, and the microseconds that opening one secret takes in the fastest, the median and the
/// slowest of a hundred rounds.
@main
enum SecretOpening {
    /// In bytes: of an API key, a refresh token, and Apple's private key.
    private static let sizes = [40, 300, 2_048]
    private static let (rounds, openings) = (100, 200)

    static func main() throws {
        let vault = Vault(keyring: VaultKeyring(current: .random()))
        let name = SecretName(userID: UUIDv7.next(), provider: .spotify, field: "refreshToken")
        for size in sizes {
            let secret = Secret(String(repeating: "s", count: size))
            let sealed = try vault.seal(secret, as: name)
            let times = try (0..<rounds).map { _ in
                let elapsed = try ContinuousClock().measure {
                    for _ in 0..<openings {
                        let opened = try vault.open(sealed, as: name)
                        precondition(opened == secret)
                    }
                }
                return elapsed / .microseconds(1) / Double(openings)
            }.sorted()
            let (fastest, median, slowest) = (times[0], times[rounds / 2], times[rounds - 1])
            print(#"{"bytes":\#(size),"fastest":\#(fastest),"median":\#(median),"slowest":\#(slowest)}"#)
        }
    }
}
