import Contracts
import Model

/// The calls to services that answer questions about their catalogs, each in the name of a person and with that
/// person's connection. They throw ``ProviderFailure``.
package struct CatalogCalls: Sendable {
    package typealias Search =
        @Sendable (_ search: CatalogSearchPayload, _ userID: String) async throws -> [CatalogType: CatalogAnswer]

    /// Returns an answer for each type of the payload.
    package var search: Search
    package var top: @Sendable (_ top: CatalogTopPayload, _ userID: String) async throws -> CatalogAnswer
    package var item: @Sendable (_ item: CatalogItemPayload, _ userID: String) async throws -> CatalogAnswer
    /// Identifies the consent that calls for a person are made with now, by which stored answers of former accounts are
    /// distinguished; `nil` when the person has not connected the service.
    package var account: @Sendable (_ source: MusicSource, _ userID: String) async throws -> String?

    package init(
        search: @escaping Search,
        top: @escaping @Sendable (CatalogTopPayload, String) async throws -> CatalogAnswer,
        item: @escaping @Sendable (CatalogItemPayload, String) async throws -> CatalogAnswer,
        account: @escaping @Sendable (MusicSource, String) async throws -> String?
    ) {
        self.search = search
        self.top = top
        self.item = item
        self.account = account
    }
}
