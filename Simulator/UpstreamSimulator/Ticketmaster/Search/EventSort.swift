/// The orders that `sort` may ask for.
enum EventSort: String, Sendable, CaseIterable {
    case relevanceDescending = "relevance,desc"
    case relevanceAscending = "relevance,asc"
    case dateAscending = "date,asc"
    case dateDescending = "date,desc"
    case nameAscending = "name,asc"
    case nameDescending = "name,desc"
    case nameDateAscending = "name,date,asc"
    case nameDateDescending = "name,date,desc"
    case dateNameAscending = "date,name,asc"
    case dateNameDescending = "date,name,desc"
    case distanceAscending = "distance,asc"
    case distanceDateAscending = "distance,date,asc"
    case venueNameAscending = "venueName,asc"
    case venueNameDescending = "venueName,desc"
    case onSaleStartDateAscending = "onSaleStartDate,asc"
    case idAscending = "id,asc"
    case random

    private static let byLowercasedName = Dictionary(
        uniqueKeysWithValues: allCases.map { ($0.rawValue.lowercased(), $0) })

    init(_ text: String?, hasPoint: Bool) throws(Refusal) {
        guard let text, !text.isEmpty else {
            self = .relevanceDescending
            return
        }
        let allowed = Self.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        guard let sort = Self.byLowercasedName[text.lowercased()] else { throw .value(of: "sort", allowed: allowed) }
        if !hasPoint, sort == .distanceAscending || sort == .distanceDateAscending {
            throw .value(of: "sort", allowed: allowed + "; distance needs a point")
        }
        self = sort
    }
}
