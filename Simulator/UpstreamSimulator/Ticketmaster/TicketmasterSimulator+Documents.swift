extension TicketmasterSimulator {
    /// The body of a 200.
    func document(for arrival: Arrival, malformation: DocumentWriter.Malformation?) throws(Refusal) -> String {
        let target = arrival.target
        let parts = target.path.split(separator: "/").dropFirst(2).map { part in
            part.hasSuffix(".json") ? String(part.dropLast(5)) : String(part)
        }
        guard let first = parts.first, let kind = DocumentWriter.Kind(rawValue: first), parts.count <= 2 else {
            throw .notFound(id: parts.joined(separator: "/"), locale: LocaleFilter(target["locale"]).text)
        }
        if parts.count == 2 { return try single(parts[1], of: kind, for: arrival, malformation) }

        let page = try PageRequest(target)
        switch kind {
        case .events:
            let query = try EventQuery(target)
            return DocumentWriter(
                catalog: catalog, origin: arrival.origin, area: query.area, malformation: malformation
            )
            .writePage(
                catalog.events(matching: query, shuffle: arrival.id), of: kind, page: page, target: target)
        case .attractions:
            return DocumentWriter(catalog: catalog, origin: arrival.origin, malformation: malformation)
                .writePage(try catalog.attractions(matching: target), of: kind, page: page, target: target)
        case .venues:
            return DocumentWriter(catalog: catalog, origin: arrival.origin, malformation: malformation)
                .writePage(try catalog.venues(matching: target), of: kind, page: page, target: target)
        }
    }

    private func single(
        _ id: String, of kind: DocumentWriter.Kind, for arrival: Arrival, _ malformation: DocumentWriter.Malformation?
    ) throws(Refusal) -> String {
        let index: Int32? =
            switch kind {
            case .events: catalog.event(id: id)
            case .attractions: catalog.attraction(id: id)
            case .venues: catalog.venue(id: id)
            }
        guard let index else { throw .notFound(id: id, locale: LocaleFilter(arrival.target["locale"]).text) }
        var json = JSONWriter()
        let writer = DocumentWriter(catalog: catalog, origin: arrival.origin, malformation: malformation)
        if malformation == .malformedItem {
            writer.writeMalformed(&json, type: String(kind.rawValue.dropLast()))
        } else {
            writer.write(index, of: kind, to: &json)
        }
        return json.text
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
