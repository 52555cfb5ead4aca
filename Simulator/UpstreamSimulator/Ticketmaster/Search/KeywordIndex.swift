/// An inverted index: which documents contain a word, or a word that begins with it.
///
/// Beginnings match on purpose: the real search is noisy in the same way, so that
/// `Air` finds `Airbourne`.
struct KeywordIndex: Sendable {
    /// A shorter word matches whole words only.
    private static let shortestPrefix = 3

    /// The words, sorted; the documents of each are in ascending order.
    private let words: [String]
    private let documents: [[Int32]]

    init(documents texts: some Sequence<[String]>) {
        var postings: [String: [Int32]] = [:]
        var document: Int32 = 0
        for text in texts {
            for word in text { Self.note(document, in: &postings[word, default: []]) }
            document += 1
        }
        let sorted = postings.sorted { $0.key < $1.key }
        words = sorted.map(\.key)
        documents = sorted.map(\.value)
    }

    /// Adds a document that is the last one or comes after it.
    private static func note(_ document: Int32, in documents: inout [Int32]) {
        if documents.last != document { documents.append(document) }
    }

    /// The documents that contain every word of the query, in ascending order.
    func matches(_ query: String) -> [Int32] {
        let required = SearchText.required(query)
        guard let first = required.first else { return [] }
        var found = matches(word: first)
        for word in required.dropFirst() where !found.isEmpty {
            let other = Set(matches(word: word))
            found.removeAll { !other.contains($0) }
        }
        return found
    }

    private func matches(word: String) -> [Int32] {
        var position = lowerBound(of: word)
        guard word.count >= Self.shortestPrefix else {
            return position < words.count && words[position] == word ? documents[position] : []
        }
        var found: Set<Int32> = []
        while position < words.count, words[position].hasPrefix(word) {
            found.formUnion(documents[position])
            position += 1
        }
        return found.sorted()
    }

    private func lowerBound(of word: String) -> Int {
        var low = 0
        var high = words.count
        while low < high {
            let middle = (low + high) / 2
            if words[middle] < word { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
