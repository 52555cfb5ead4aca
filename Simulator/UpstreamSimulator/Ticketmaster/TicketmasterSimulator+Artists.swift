/// Lists of names for tests that need artists of a certain kind.
extension TicketmasterSimulator {
    package enum ArtistKind: String, Sendable, CaseIterable {
        /// Well-known names. One call of a keyword search finds all events of each.
        case popular
        /// Invented names of the catalog. One call of a keyword search finds all events of each.
        case unknown
        /// Known as attractions, with nothing on sale.
        case eventless
        /// Names that are not in the catalog.
        case absent
        /// More events than one page holds, or than paging reaches for all of them together.
        case tireless
    }

    /// Up to `count` names of the kind, without the first `offset`; the same names for the same seed.
    package func artists(_ kind: ArtistKind, count: Int, offset: Int = 0) -> [String] {
        let names: any Sequence<String> =
            switch kind {
            case .popular: ArtistNames.popular.lazy.map(\.name).filter(isAnsweredByKeyword)
            case .unknown:
                catalog.attractions.suffix(CatalogBuilder.obscureCount).lazy.map(\.name)
                    .filter(isAnsweredByKeyword)
            case .eventless: ArtistNames.eventless.map(\.name)
            case .absent: ArtistNames.absent
            case .tireless: ArtistNames.tireless.map(\.name)
            }
        return Array(AnySequence(names).lazy.dropFirst(offset).prefix(count))
    }

    /// Whether one page of 200 events by keyword contains all results, including the only attraction with exactly that
    /// name.
    private func isAnsweredByKeyword(_ name: String) -> Bool {
        let found = catalog.eventIndex.matches(name)
        guard (1...200).contains(found.count) else { return false }
        let embedded = Set(found.flatMap { catalog.events[Int($0)].attractions })
        let folded = SearchText.fold(name)
        return embedded.filter { SearchText.fold(catalog.attractions[Int($0)].name) == folded }.count == 1
    }
}
