extension Classification {
    /// Writes the list of classifications, which has one element in all recordings.
    func write(to json: inout JSONWriter, nulls: Bool = false) {
        json.array("classifications") { json in
            if nulls { json.null() }
            json.object { json in
                json.bool("primary", true)
                write("segment", segment, to: &json)
                write("genre", genre, to: &json)
                write("subGenre", subGenre, to: &json)
                write("type", type, to: &json)
                write("subType", subType, to: &json)
                json.bool("family", false)
            }
        }
    }

    private func write(_ key: String, _ level: Level?, to json: inout JSONWriter) {
        guard let level else { return }
        json.object(key) { json in
            json.string("id", level.id)
            json.string("name", level.name)
        }
    }
}
