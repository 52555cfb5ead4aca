/// The searches of `/attractions.json` and `/venues.json`.
extension TicketmasterCatalog {
    /// The indices of the matching attractions, in the requested order.
    func attractions(matching target: RequestTarget) throws(Refusal) -> [Int32] {
        let sort = try ListSort(target["sort"])
        let classification = ClassificationFilter(target)
        var found = target.text("keyword").map(attractionIndex.matches) ?? Array(Int32(0)..<Int32(attractions.count))
        let ids = Set(target.list("id"))
        found.removeAll { index in
            let attraction = attractions[Int(index)]
            if !ids.isEmpty, !ids.contains(attraction.id) { return true }
            return !classification.allows(attraction.classification)
        }
        order(&found, sort, name: { attractions[Int($0)].name }, id: { attractions[Int($0)].id })
        return found
    }

    /// The indices of the matching venues, in the requested order.
    func venues(matching target: RequestTarget) throws(Refusal) -> [Int32] {
        let sort = try ListSort(target["sort"])
        let area = try SearchArea(target)
        var found = target.text("keyword").map(venueIndex.matches) ?? Array(Int32(0)..<Int32(venues.count))
        let ids = Set(target.list("id"))
        let countries = target.list("countryCode").map { $0.uppercased() }
        let states = target.list("stateCode").map { $0.uppercased() }
        let city = target.text("city").map(Self.foldedPlace)
        found.removeAll { index in
            let venue = venues[Int(index)]
            if !ids.isEmpty, !ids.contains(venue.id) { return true }
            if !countries.isEmpty, !countries.contains(venue.countryCode) { return true }
            if !states.isEmpty, !states.contains(venue.state?.code ?? "") { return true }
            if let city, Self.foldedPlace(venue.city ?? "") != city { return true }
            return !area.contains(venue.location)
        }
        order(&found, sort, name: { venues[Int($0)].name ?? "" }, id: { venues[Int($0)].id })
        return found
    }

    private enum ListSort: String, CaseIterable {
        case relevanceDescending = "relevance,desc"
        case relevanceAscending = "relevance,asc"
        case nameAscending = "name,asc"
        case nameDescending = "name,desc"

        init(_ text: String?) throws(Refusal) {
            guard let text, !text.isEmpty else {
                self = .relevanceDescending
                return
            }
            guard let sort = Self(rawValue: text.lowercased()) else {
                throw .value(of: "sort", allowed: Self.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", "))
            }
            self = sort
        }
    }

    /// Relevance is as noisy as on the real service: a namesake or a tribute may well come first.
    private func order(
        _ found: inout [Int32], _ sort: ListSort, name: (Int32) -> String, id: (Int32) -> String
    ) {
        switch sort {
        case .nameAscending: found.sort { (name($0), $0) < (name($1), $1) }
        case .nameDescending: found.sort { (name($0), $0) > (name($1), $1) }
        case .relevanceAscending, .relevanceDescending:
            func noise(_ index: Int32) -> Int { id(index).utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xffff } }
            found.sort { (noise($0), $0) < (noise($1), $1) }
        }
    }
}
