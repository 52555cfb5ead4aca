extension TicketmasterSimulator {
    /// The body of a 200, or the reason why there is none.
    func document(for arrival: Arrival, blemish: DocumentWriter.Blemish?) throws(Refusal) -> String {
        let target = arrival.target
        let parts = target.path.split(separator: "/").dropFirst(2).map { part in
            part.hasSuffix(".json") ? String(part.dropLast(5)) : String(part)
        }
        guard let first = parts.first, let kind = DocumentWriter.Kind(rawValue: first), parts.count <= 2 else {
            throw .notFound(id: parts.joined(separator: "/"), locale: LocaleFilter(target["locale"]).text)
        }
        if parts.count == 2 { return try single(parts[1], of: kind, target, blemish) }

        let page = try PageRequest(target)
        switch kind {
        case .events:
            let query = try EventQuery(target)
            return DocumentWriter(catalogue: catalogue, area: query.area, blemish: blemish)
                .writePage(
                    catalogue.events(matching: query, shuffle: arrival.id), of: kind, page: page, target: target)
        case .attractions:
            return DocumentWriter(catalogue: catalogue, blemish: blemish)
                .writePage(try catalogue.attractions(matching: target), of: kind, page: page, target: target)
        case .venues:
            return DocumentWriter(catalogue: catalogue, blemish: blemish)
                .writePage(try catalogue.venues(matching: target), of: kind, page: page, target: target)
        }
    }

    private func single(
        _ id: String, of kind: DocumentWriter.Kind, _ target: RequestTarget, _ blemish: DocumentWriter.Blemish?
    ) throws(Refusal) -> String {
        let index: Int32? =
            switch kind {
            case .events: catalogue.event(id: id)
            case .attractions: catalogue.attraction(id: id)
            case .venues: catalogue.venue(id: id)
            }
        guard let index else { throw .notFound(id: id, locale: LocaleFilter(target["locale"]).text) }
        var json = JSONWriter()
        let writer = DocumentWriter(catalogue: catalogue, blemish: blemish)
        if blemish == .malformedItem {
            writer.writeMalformed(&json, type: String(kind.rawValue.dropLast()))
        } else {
            writer.write(index, of: kind, to: &json)
        }
        return json.text
    }
}
