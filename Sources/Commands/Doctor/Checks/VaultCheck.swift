import Accounts
import Bootstrap
import Model
import Storage
import Vault

extension DoctorCheck {
    /// Whether the vault has the keys that its secrets need, and no others, and whether they open them.
    static let vault = DoctorCheck("vault") { context in
        let file = VaultKeyFile(path: context.configuration.vault.keyFile)
        let sealed = (try? await context.read { try $0.vault.sealedCounts(now: .now()) }) ?? []
        let total = sealed.reduce(0) { $0 + $1.secrets + $1.passing }
        let keyring: VaultKeyring
        do throws(VaultKeyFileError) {
            keyring = try file.read()
        } catch .missing where total == 0 {
            return [.ok("There is no vault key yet; the gateway makes it in \(file.path) when it starts.")]
        } catch {
            return [.problem("\(error)", "Until then nobody's keys and connections can be used or saved.")]
        }
        var findings: [Finding] = []
        let lost = sealed.filter { keyring.key(id: $0.keyID) == nil }.reduce(0) { $0 + $1.secrets + $1.passing }
        if lost > 0 {
            findings.append(
                .problem(
                    "\(lost) of \(total) sealed values open with no key of \(file.path).",
                    "Put the key that is missing into the file, on a line of its own; or have people enter their keys again."
                ))
        }
        let owners = try await context.read { try $0.ownersOfDamagedSecrets(keyring) } ?? []
        if !owners.isEmpty {
            findings.append(
                .problem(
                    "Secrets do not open although their key is there, since they were changed. They are of "
                        + SearchSummary.list(owners, joinedBy: "and") + ".",
                    "Have them enter their keys and connect their services again."))
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

extension ReadTransaction {
    /// The names of people with secrets that a key of the file should open and does not.
    fileprivate func ownersOfDamagedSecrets(_ keyring: VaultKeyring) throws -> [String] {
        let vault = Vault(keyring: keyring)
        var owners: Set<String> = []
        var last: StoredSecret?
        while true {
            let found = try self.vault.secrets(notSealedWith: "", after: last, limit: 500)
            guard let end = found.last else { break }
            last = end
            for stored in found where vault.isDamaged(stored) { owners.insert(stored.userID) }
        }
        return try accounts.names(ofUsers: owners).values.sorted()
    }
}
