extension TicketmasterSimulator {
    /// The body of a 200.
    func document(for arrival: Arrival, blemish: DocumentWriter.Blemish?) throws(Refusal) -> String {
        let target = arrival.target
        let parts = target.path.split(separator: "/").dropFirst(2).map { part in
            part.hasSuffix(".json") ? String(part.dropLast(5)) : String(part)
        }
        guard let first = parts.first, let kind = DocumentWriter.Kind(rawValue: first), parts.count <= 2 else {
            throw .notFound(id: parts.joined(separator: "/"), locale: LocaleFilter(target["locale"]).text)
        }
        if parts.count == 2 { return try single(parts[1], of: kind, for: arrival, blemish) }

        let page = try PageRequest(target)
        switch kind {
        case .events:
            let query = try EventQuery(target)
            return DocumentWriter(catalogue: catalogue, origin: arrival.origin, area: query.area, blemish: blemish)
                .writePage(
                    catalogue.events(matching: query, shuffle: arrival.id), of: kind, page: page, target: target)
        case .attractions:
            return DocumentWriter(catalogue: catalogue, origin: arrival.origin, blemish: blemish)
                .writePage(try catalogue.attractions(matching: target), of: kind, page: page, target: target)
        case .venues:
            return DocumentWriter(catalogue: catalogue, origin: arrival.origin, blemish: blemish)
                .writePage(try catalogue.venues(matching: target), of: kind, page: page, target: target)
        }
    }

    private func single(
        _ id: String, of kind: DocumentWriter.Kind, for arrival: Arrival, _ blemish: DocumentWriter.Blemish?
    ) throws(Refusal) -> String {
        let index: Int32? =
            switch kind {
            case .events: catalogue.event(id: id)
            case .attractions: catalogue.attraction(id: id)
            case .venues: catalogue.venue(id: id)
            }
        guard let index else { throw .notFound(id: id, locale: LocaleFilter(arrival.target["locale"]).text) }
        var json = JSONWriter()
        let writer = DocumentWriter(catalogue: catalogue, origin: arrival.origin, blemish: blemish)
        if blemish == .malformedItem {
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
        if let index = catalogue.attraction(id: id) { return Portrait(name: catalogue.attractions[Int(index)].name) }
        guard let index = catalogue.event(id: id) else { return nil }
        let event = catalogue.events[Int(index)]
        return Portrait(name: event.attractions.first.map { catalogue.attractions[Int($0)].name } ?? event.name)
    }
}
