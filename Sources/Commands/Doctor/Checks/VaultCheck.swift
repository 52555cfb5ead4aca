import Accounts
import Bootstrap
import CommandSupport
import Model
import Storage
import Vault

extension DoctorCheck {
    /// Whether the vault's file has exactly the keys with which secrets are sealed, whether these open all secrets, and
    /// whether the public key belongs to one of them.
    static let vault = DoctorCheck("vault") { context in
        let files = VaultFiles(context.configuration.vault)
        let file = files.keys
        let sealed = (try? await context.read { try $0.vault.sealedCounts(now: .now()) }) ?? []
        let total = sealed.reduce(0) { $0 + $1.secrets + $1.passing }
        let keyring: VaultKeyring
        do throws(VaultKeyFileError) {
            keyring = try file.read()
        } catch .missing where total == 0 {
            return [.ok("There is no vault key yet; a worker creates it in \(file.path) when it starts.")]
        } catch {
            return [.problem("\(error)", "Until then, no stored secret can be used, and none can be saved.")]
        }
        var findings: [Finding] = []
        let lost = sealed.filter { keyring.key(id: $0.keyID) == nil }.reduce(0) { $0 + $1.secrets + $1.passing }
        if lost > 0 {
            findings.append(
                .problem(
                    "No key of \(file.path) opens \(lost) of \(total) sealed values.",
                    "Add the missing key to the file, on its own line, or have people enter their keys again."))
        }
        let owners = try await context.read { try $0.ownersOfDamagedSecrets(keyring) } ?? []
        if !owners.isEmpty {
            findings.append(
                .problem(
                    "Some secrets were changed: they cannot be opened although their key is present. They belong to "
                        + TextWidth.printable(owners, joinedBy: "and") + ".",
                    "Have these people enter their keys and connect their services again."))
        }
        findings += files.findings(keyring)
        let unused = keyring.former.filter { key in !sealed.contains { $0.keyID == key.id } }
        if !unused.isEmpty {
            findings.append(
                .warning(
                    "The vault's key file contains former keys that no secret needs: "
                        + "\(unused.map(\.id).joined(separator: ", ")).",
                    "backline vault rotate"))
        } else if !keyring.former.isEmpty {
            findings.append(.warning("A rotation of the vault's key is not finished.", "backline vault rotate"))
        }
        return findings.isEmpty ? [.ok("The vault's key \(keyring.current.id) opens all \(total) secrets.")] : findings
    }
}

extension VaultFiles {
    /// Problems with the public key.
    fileprivate func findings(_ keyring: VaultKeyring) -> [Finding] {
        var findings: [Finding] = []
        do throws(VaultPublicKeyFileError) {
            let key = try publicKey.read()
            if keyring.key(id: key.id) == nil {
                findings.append(
                    .problem(
                        "New secrets are sealed for the key \(key.id) of \(publicKey.path), which \(keys.path) does "
                            + "not contain.",
                        "Remove \(publicKey.path), which a worker writes again, or restore the key that matches it."))
            }
        } catch {
            findings.append(.warning("\(error)", "Until then, people cannot enter keys or connect services."))
        }
        return findings
    }
}

extension ReadTransaction {
    /// The names of users with secrets that cannot be opened although the file has their key.
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
