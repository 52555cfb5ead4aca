extension TicketmasterSimulator {
    /// The body of a 200.
    func document(
        for arrival: Arrival, malformation: TicketmasterDocuments.Malformation?
    ) throws(Refusal) -> String {
        let target = arrival.target
        let parts = target.path.split(separator: "/").dropFirst(2).map { part in
            part.hasSuffix(".json") ? String(part.dropLast(5)) : String(part)
        }
        guard let first = parts.first, let kind = TicketmasterDocuments.Kind(rawValue: first), parts.count <= 2 else {
            throw .notFound(id: parts.joined(separator: "/"), locale: LocaleFilter(target["locale"]).text)
        }
        if parts.count == 2 { return try single(parts[1], of: kind, for: arrival, malformation) }

        let page = try PageRequest(target)
        let found: [Int32]
        var area: SearchArea?
        switch kind {
        case .events:
            let query = try EventQuery(target)
            area = query.area
            found = catalog.events(matching: query, shuffle: arrival.id)
        case .attractions: found = try catalog.attractions(matching: target)
        case .venues: found = try catalog.venues(matching: target)
        }
        let documents = TicketmasterDocuments(
            catalog: catalog, origin: arrival.origin, area: area, malformation: malformation)
        return DocumentEncoder.text(of: documents.page(found, of: kind, page: page, target: target))
    }

    private func single(
        _ id: String, of kind: TicketmasterDocuments.Kind, for arrival: Arrival,
        _ malformation: TicketmasterDocuments.Malformation?
    ) throws(Refusal) -> String {
        let index: Int32? =
            switch kind {
            case .events: catalog.event(id: id)
            case .attractions: catalog.attraction(id: id)
            case .venues: catalog.venue(id: id)
            }
        guard let index else { throw .notFound(id: id, locale: LocaleFilter(arrival.target["locale"]).text) }
        guard malformation != .malformedItem else { return DocumentEncoder.text(of: MalformedDocument(kind)) }
        let documents = TicketmasterDocuments(catalog: catalog, origin: arrival.origin, malformation: malformation)
        return DocumentEncoder.text(of: documents.entry(index, of: kind))
    }

    /// The portrait in a file, made from the attraction's name or from that of the event's headliner; `nil` if there is
    /// no such picture.
    func portrait(for file: PictureFile) -> Portrait? {
        guard let id = file.id else { return Portrait(name: nil) }
        if let index = catalog.attraction(id: id) { return Portrait(name: catalog.attractions[Int(index)].name) }
        guard let index = catalog.event(id: id) else { return nil }
        let event = catalog.events[Int(index)]
        return Portrait(name: event.attractions.first.map { catalog.attractions[Int($0)].name } ?? event.name)
    }
}
