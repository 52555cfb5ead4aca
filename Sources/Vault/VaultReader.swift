/// The keys that a worker process currently has, as it reports them.
package struct VaultReader: Sendable, Equatable {
    /// The name of the worker.
    package var worker: String
    /// The ids of its keys, including the former ones; empty while it cannot use its key file.
    package var keyIDs: Set<String>

    package init(worker: String, keyIDs: Set<String>) {
        self.worker = worker
        self.keyIDs = keyIDs
    }

    package init(worker: String, keyring: VaultKeyring?) {
        self.init(worker: worker, keyIDs: Set((keyring?.keys ?? []).map(\.id)))
    }
}

extension [VaultReader] {
    /// Why no worker can open secrets sealed with the given keys; `nil` when each key is on a worker, or when no worker
    /// has reported.
    package func trouble(opening keyIDs: some Sequence<String>) -> VaultTrouble? {
        guard !isEmpty, keyIDs.contains(where: { id in !contains { $0.keyIDs.contains(id) } }) else { return nil }
        return canOpen ? .vaultKeyLost : .vaultUnavailable
    }

    /// Whether a worker has keys.
    package var canOpen: Bool { contains { !$0.keyIDs.isEmpty } }
}
