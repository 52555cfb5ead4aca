import CLinux
import Model
import Storage

/// Playlists or albums whose names have the text of a search, or all without one, in the order of the list.
struct FoundNames {
    private typealias Item = (key: String, id: Int64)

    private var items: [Item] = []
    private let search: SearchQuery?

    init(_ search: SearchQuery?) {
        self.search = search
    }

    /// Adds an item if one of its names has the text. Call it in the order of the list.
    ///
    /// - Parameter names: names with their keys, which lack the end of a long name.
    mutating func add(key: String, id: Int64, names: [(key: String, full: String)]) {
        guard let search else { return items.append((key, id)) }
        let isFound = names.contains { name in
            search.isPart(of: name.key)
                || name.key.utf8.count >= LibrarySortKey.maximumLength
                    && search.isPart(of: SearchText.folded(name.full))
        }
        if isFound { items.append((key, id)) }
    }

    /// The ids of a page.
    func page(_ query: NameListQuery) -> PageIDs {
        let start: Int
        switch query.start {
        case .after(.none): start = 0
        case .after(.some(let cursor)):
            let (key, id) = cursor.values
            start =
                items.firstIndex { item in
                    // As the databases compare bytes.
                    item.key == key ? item.id > Int64(id) : key.utf8.lexicographicallyPrecedes(item.key.utf8)
                } ?? items.count
        case .position(let position): start = min(position, items.count)
        }
        let end = min(start + query.limit, items.count)
        return PageIDs(ids: items[start..<end].map(\.id), total: items.count, hasMore: end < items.count)
    }
}

extension SearchQuery {
    /// - Parameter text: folded.
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
