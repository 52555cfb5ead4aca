import Bootstrap
import Storage
import Vault

extension DoctorCheck {
    /// Whether the vault has the keys that its secrets need, and no others.
    static let vault = DoctorCheck("vault") { context in
        let file = VaultKeyFile(path: context.configuration.vault.keyFile)
        let counts = try? await context.read { reader in
            try reader.sealedCounts(now: .now()).map { (keyID: $0.keyID, secrets: $0.secrets + $0.passing) }
        }
        let sealed = counts ?? []
        let total = sealed.reduce(0) { $0 + $1.secrets }
        let keyring: VaultKeyring
        do throws(VaultKeyFileError) {
            keyring = try file.read()
        } catch .missing where total == 0 {
            return [.ok("There is no vault key yet; the gateway makes it in \(file.path) when it starts.")]
        } catch {
            return [.problem("\(error)", "Until then nobody's keys and connections can be used or saved.")]
        }
        var findings: [Finding] = []
        let lost = sealed.filter { keyring.key(id: $0.keyID) == nil }.reduce(0) { $0 + $1.secrets }
        if lost > 0 {
            findings.append(
                .problem(
                    "\(lost) of \(total) sealed values open with no key of \(file.path).",
                    "Put the key that is missing into the file, on a line of its own; or have people enter their keys again."))
        }
        let unused = keyring.former.filter { key in !sealed.contains { $0.keyID == key.id } }
        if !unused.isEmpty {
            findings.append(
                .warning(
                    "The vault's key file holds former keys that nothing needs: \(unused.map(\.id).joined(separator: ", ")).",
                    "backline vault rotate"))
        } else if !keyring.former.isEmpty {
            findings.append(
                .warning("A rotation of the vault's key has not come to its end.", "backline vault rotate"))
        }
        return findings.isEmpty ? [.ok("The vault's key \(keyring.current.id) opens all \(total) secrets.")] : findings
    }
}
