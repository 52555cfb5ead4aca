import Bootstrap
import CommandSupport
import Model
import Notifications
import Push
import Storage
import Vault

extension DoctorCheck {
    /// Whether notifications can be pushed: the contact, the key for Web Push, the services that refuse this
    /// installation, and what waits.
    static let pushes = DoctorCheck("pushes") { context in
        let now = Timestamp.now()
        let found = try await context.read { reader in
            (
                try reader.notifications.pushBacklog(at: now), try reader.notifications.webPushKey(),
                try reader.vault.installationSecret(.webPushKey)
            )
        }
        guard let (backlog, key, sealed) = found else {
            return [.warning("What is to be pushed cannot be read.", "Repair the database first.")]
        }
        let contact = context.configuration[PushSettings.self].contact(
            publicURL: context.configuration.http.publicURL)
        return [contactFinding(contact, targets: backlog.targets)]
            + keyFindings(key, sealed: sealed, vault: CurrentVault(context.configuration.vault))
            + refusalFindings(backlog.refusals) + [backlogFinding(backlog, now: now)]
    }

    static func contactFinding(_ contact: VAPIDContact?, targets: Int) -> Finding {
        if let contact { return .ok("Push services know this installation by \(contact).") }
        return .ok(
            "Nothing is sent by Web Push: neither push.contact nor http.publicURL is a public address. Set one of them "
                + "if people want notifications on their devices.")
    }

    static func keyFindings(_ key: String?, sealed: SealedSecret?, vault: CurrentVault) -> [Finding] {
        guard let key else { return [.ok("No worker has made the key for Web Push yet.")] }
        let advice =
            "Restore the vault's key file. Without it, nothing can be sent by Web Push, and people's subscriptions are lost."
        guard let sealed else { return [.problem("The private key for Web Push is missing.", advice)] }
        do {
            let keys = try VAPIDKeyPair(secret: try vault.open(sealed, as: .webPushKey))
            guard keys.publicKey == key else {
                return [.problem("The private key for Web Push does not belong to the public one.", advice)]
            }
            return [.ok("The key for Web Push can be used.")]
        } catch {
            return [.problem("The private key for Web Push cannot be opened: \(error)", advice)]
        }
    }

    static func refusalFindings(_ refusals: [PushRefusal]) -> [Finding] {
        refusals.map { refusal in
            .problem(
                "\(refusal.host) has refused this installation since \(refusal.since): \(refusal.answer).",
                "Check push.contact and the clock. It is tried again at \(refusal.nextAt).")
        }
    }

    static func backlogFinding(_ backlog: PushBacklog, now: Timestamp) -> Finding {
        guard let oldest = backlog.oldest else { return .ok("Nothing waits to be pushed.") }
        let age = oldest.duration(to: now)
        let text = "\(backlog.waiting) pushes wait, the first for \(HumanTime.text(age))."
        guard age >= .seconds(600) else { return .ok(text) }
        return .warning(text, "A sync-worker sends them: 'backline workers' shows whether one is connected.")
    }
}
