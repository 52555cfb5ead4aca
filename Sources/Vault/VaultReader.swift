/// What a worker process can open at present, as it says itself.
package struct VaultReader: Sendable, Equatable {
    /// Its name.
    package var worker: String
    /// The ids of its keys, the former ones included; empty while it cannot use its key file.
    package var keyIDs: Set<String>

    package init(worker: String, keyIDs: Set<String>) {
        self.worker = worker
        self.keyIDs = keyIDs
    }

    package init(worker: String, keyring: VaultKeyring?) {
        self.init(worker: worker, keyIDs: Set((keyring?.keys ?? []).flatMap(\.ids)))
    }
}

extension [VaultReader] {
    /// Why nobody opens what these keys sealed; `nil` when for each there is somebody who does, or nobody has said
    /// anything.
    package func trouble(opening keyIDs: some Sequence<String>) -> VaultTrouble? {
        guard !isEmpty, keyIDs.contains(where: { id in !contains { $0.keyIDs.contains(id) } }) else { return nil }
        return canOpen ? .vaultKeyLost : .vaultUnavailable
    }

    /// Whether somebody has keys.
    package var canOpen: Bool { contains { !$0.keyIDs.isEmpty } }
}
