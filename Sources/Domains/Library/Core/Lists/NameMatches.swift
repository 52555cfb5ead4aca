import CLinux
import Model
import Storage

/// The playlists or albums whose names contain the searched text (all of them without a search), in the order of the
/// list.
struct NameMatches {
    private typealias Item = (key: String, id: Int64)

    private var items: [Item] = []
    private let search: SearchQuery?

    init(_ search: SearchQuery?) {
        self.search = search
    }

    /// Adds an item if one of its names contains the searched text. Must be called in the order of the list.
    ///
    /// - Parameter names: the names with their keys. The key of a long name is truncated.
    mutating func add(key: String, id: Int64, names: [(key: String, full: String)]) {
        guard let search else { return items.append((key, id)) }
        let isFound = names.contains { name in
            search.isPart(of: name.key)
                || name.key.utf8.count >= LibrarySortKey.maximumLength
                    && search.isPart(of: SearchText.folded(name.full))
        }
        if isFound { items.append((key, id)) }
    }

    /// The ids of the items on a page.
    func page(_ query: NameListQuery) -> PageIDs {
        let start: Int
        switch query.start {
        case .after(.none): start = 0
        case .after(.some(let cursor)):
            let (key, id) = cursor.values
            start =
                items.firstIndex { item in
                    // Compares bytes, as the databases do.
                    item.key == key ? item.id > Int64(id) : key.utf8.lexicographicallyPrecedes(item.key.utf8)
                } ?? items.count
        case .position(let position): start = min(position, items.count)
        }
        let end = min(start + query.limit, items.count)
        return PageIDs(ids: items[start..<end].map(\.id), total: items.count, hasMore: end < items.count)
    }
}

extension SearchQuery {
    /// - Parameter text: a folded text.
    func isPart(of text: String) -> Bool {
        var text = text
        return text.withUTF8 { utf8 in
            bytes.withUnsafeBytes { sought in
                guard let start = utf8.baseAddress, let needle = sought.baseAddress else { return false }
                return clinux_find(start, utf8.count, needle, sought.count) != nil
            }
        }
    }
}
