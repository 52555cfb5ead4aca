/// An element of `classifications`, without the levels that are unknown.
struct ClassificationDocument: Encodable {
    let primary = true
    let segment: Classification.Level?
    let genre: Classification.Level?
    let subGenre: Classification.Level?
    let type: Classification.Level?
    let subType: Classification.Level?
    let family = false

    init(_ classification: Classification) {
        segment = classification.segment
        genre = classification.genre
        subGenre = classification.subGenre
        type = classification.type
        subType = classification.subType
    }
}

extension TicketmasterDocuments {
    /// The list of classifications, which has one element in all recordings.
    func classifications(_ classification: Classification?) -> [ClassificationDocument?]? {
        classification.map { list([ClassificationDocument($0)]) }
    }
}
