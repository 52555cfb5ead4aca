import Contracts
import Model
import Storage

/// Answers questions about catalogs in a worker: asks the service and returns what to store.
package struct CatalogFetch: Sendable {
    private let calls: CatalogCalls

    package init(calls: CatalogCalls) {
        self.calls = calls
    }

    /// The outcome of a job.
    package struct Outcome: Sendable {
        package var result: CatalogResult
        /// Stores the answers, in the transaction that ends the job.
        package var write: @Sendable (WriteTransaction) throws -> Void
    }

    /// - Parameter person: the person whose connection is used.
    package func run(_ search: CatalogSearchPayload, for person: String) async throws -> Outcome {
        try await outcome {
            let answers = try await calls.search(search, person)
            return { transaction in
                let query = CatalogQuery(
                    search.text, of: search.source, market: search.market, offset: search.offset)
                guard let query else { return }
                for (type, answer) in answers {
                    try transaction.catalog.store(answer, to: .search(query, type), now: .now())
                }
            }
        }
    }

    /// - Parameter person: the person whose top list is read.
    package func run(_ top: CatalogTopPayload, for person: String) async throws -> Outcome {
        try await outcome {
            try await personal(.top(top), of: .spotify, for: person) { try await calls.top(top, person) }
        }
    }

    /// - Parameter person: the person whose connection is used.
    package func run(_ item: CatalogItemPayload, for person: String) async throws -> Outcome {
        let question = CatalogQuestion.item(item)
        return try await outcome {
            guard !question.isPersonal else {
                return try await personal(question, of: item.source, for: person) { try await calls.item(item, person) }
            }
            let answer = try await calls.item(item, person)
            return { try $0.catalog.store(answer, to: question, now: .now()) }
        }
    }

    private typealias Write = @Sendable (WriteTransaction) throws -> Void

    /// Asks for something that only one person may see.
    private func personal(
        _ question: CatalogQuestion, of source: MusicSource, for person: String,
        _ ask: () async throws -> CatalogAnswer
    ) async throws -> Write {
        // Read before the call, so that an account connected in between is not mistaken for the one that answers.
        let account = try await calls.account(source, person) ?? ""
        let answer = try await ask()
        return { transaction in
            try transaction.catalog.store(answer, to: question, userID: person, account: account, now: .now())
        }
    }

    /// A failure of the service is also a result, since somebody waits for it.
    private func outcome(_ ask: () async throws -> Write) async throws -> Outcome {
        do {
            return Outcome(result: .stored, write: try await ask())
        } catch let failure as ProviderFailure {
            return Outcome(result: CatalogResult(trouble: .init(failure)), write: { _ in })
        }
    }
}

extension CatalogResult.Trouble {
    init(_ failure: ProviderFailure) {
        let isUnconnected = failure.recovery == .reconnect
        self.init(
            code: isUnconnected ? failure.provider.notConnectedCode : failure.catalogCode,
            detail: failure.message, recovery: failure.recovery.rawValue, retryAfter: failure.retryAfter())
    }
}

extension ProviderFailure {
    /// The problem code of the API. Apple Music needs a developer key, which an installation may not have.
    fileprivate var catalogCode: String {
        provider == .appleMusic && kind == .credentialMissing ? "appleMusicNotConfigured" : kind.rawValue
    }
}

extension Provider {
    /// The problem code of the API for people who have not connected a service, or have to reconnect it.
    package var notConnectedCode: String { rawValue + "NotConnected" }
}
