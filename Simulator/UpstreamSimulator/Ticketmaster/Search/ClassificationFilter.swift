/// `classificationName`, `classificationId`, `segmentId`, `segmentName` and `genreId`.
struct ClassificationFilter: Sendable {
    private let names: Set<String>
    private let ids: Set<String>
    private let segments: Set<String>
    private let genres: Set<String>

    init(_ target: RequestTarget) {
        names = Set(target.list("classificationName").map { $0.lowercased() })
        ids = Set(target.list("classificationId"))
        segments = Set(target.list("segmentId") + target.list("segmentName").map { $0.lowercased() })
        genres = Set(target.list("genreId"))
    }

    /// A name matches at any level, so a search for music also finds concert films.
    func allows(_ classification: Classification?) -> Bool {
        let levels = classification?.levels ?? []
        if !names.isEmpty, !levels.contains(where: { names.contains($0.name.lowercased()) }) { return false }
        if !ids.isEmpty, !levels.contains(where: { ids.contains($0.id) }) { return false }
        if !segments.isEmpty {
            guard let segment = classification?.segment else { return false }
            if !segments.contains(segment.id), !segments.contains(segment.name.lowercased()) { return false }
        }
        if !genres.isEmpty, !genres.contains(classification?.genre?.id ?? "") { return false }
        return true
    }
}

/// `locale`: the languages in which an event may be published.
struct LocaleFilter: Sendable {
    /// The requested text, for the links and errors of the answer.
    let text: String
    private let wanted: [String]

    /// - Parameter text: a comma-separated list of `en`, `en-us` or `*`; `en` if absent.
    init(_ text: String?) {
        self.text = text ?? "en"
        wanted = self.text.lowercased().split(separator: ",").map(String.init)
    }

    func allows(_ locale: String) -> Bool {
        wanted.contains { $0 == "*" || $0 == locale || locale.hasPrefix($0 + "-") }
    }
}
