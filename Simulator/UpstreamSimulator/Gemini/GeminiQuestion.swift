import Foundation

/// The parts of a `generateContent` call's body that a model looks at.
struct GeminiQuestion: Sendable {
    /// A song that the text lists with a number.
    struct NumberedSong: Sendable {
        var number: Int
        var title: String
        var artist: String
        /// The text after the artist, such as a year or a genre.
        var rest: String
    }

    /// The text of all parts, including the system instruction.
    var text: String
    var listed: [NumberedSong]
    /// How many songs to name.
    var count: Int
    /// Names of artists and genres that the text mentions outside the numbered list.
    var genres: [String]
    var maxOutputTokens: Int
    /// The members of the answer's lists, by the list's name; `nil` if no schema was sent.
    var lists: [String: [String]]
    /// For a plan, the orders that it may name and the number of artists to choose from; otherwise empty.
    var orders: [String] = []
    var artists = 0
    /// The allowed values of reasons.
    var reasons: [String]
    /// The number of tokens, counting four bytes of text as one.
    var promptTokens: Int { max(1, text.utf8.count / 4) }

    /// The keywords that `responseSchema` may contain.
    private static let keywords: Set<String> = [
        "type", "format", "title", "description", "nullable", "enum", "maxItems", "minItems", "properties", "required",
        "minProperties", "maxProperties", "minLength", "maxLength", "pattern", "example", "anyOf", "propertyOrdering",
        "default", "items", "minimum", "maximum",
    ]

    init(body: String) throws(GeminiRefusal) {
        guard let json = (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any] else {
            throw .argument("Invalid JSON payload received.")
        }
        guard let contents = json["contents"] as? [[String: Any]], !contents.isEmpty else {
            throw .argument("* GenerateContentRequest.contents: contents is not specified")
        }
        let configuration = json["generationConfig"] as? [String: Any] ?? [:]
        if configuration["responseSchema"] != nil, configuration["responseJsonSchema"] != nil {
            throw .argument("response_schema and response_json_schema may not both be set.")
        }
        var schema: [String: Any]?
        if let sent = configuration["responseSchema"] {
            guard let object = sent as? [String: Any] else { throw .argument("Invalid value at 'response_schema'") }
            guard configuration["responseMimeType"] as? String == "application/json" else {
                throw .argument("response_schema is only supported with response_mime_type application/json")
            }
            try Self.check(object)
            schema = object
        }
        func texts(_ content: [String: Any]?) -> String {
            (content?["parts"] as? [[String: Any]] ?? []).compactMap { $0["text"] as? String }.joined(separator: "\n")
        }
        self.init(
            system: texts(json["systemInstruction"] as? [String: Any]),
            user: contents.map { texts($0) }.joined(separator: "\n"), schema: schema,
            room: configuration["maxOutputTokens"] as? Int ?? 8_192)
    }

    /// - Parameter room: the most tokens of the answer.
    init(system: String, user: String, schema: [String: Any]?, room: Int) {
        text = system + "\n" + user
        maxOutputTokens = room
        let data = (try? JSONSerialization.jsonObject(with: Data(user.utf8))) as? [String: Any] ?? [:]
        count = data["count"] as? Int ?? 10
        genres = data["genres"] as? [String] ?? []
        listed = (data["candidates"] as? [[Any]] ?? []).compactMap { item in
            guard item.count >= 3, let number = item[0] as? Int, let title = item[1] as? String,
                let artist = item[2] as? String
            else { return nil }
            return NumberedSong(
                number: number, title: title, artist: artist,
                rest: item.dropFirst(3).map { "\($0)" }.joined(separator: " "))
        }
        (lists, reasons) = ([:], [])
        artists = (data["artists"] as? [Any])?.count ?? 0
        for (name, value) in schema?["properties"] as? [String: [String: Any]] ?? [:] {
            if name == "order" { orders = value["enum"] as? [String] ?? [] }
            let item = value["items"] as? [String: Any]
            let members = item?["properties"] as? [String: [String: Any]] ?? [:]
            lists[name] = members.keys.sorted()
            for member in members.values {
                if let values = (member["items"] as? [String: Any])?["enum"] as? [String] { reasons = values }
            }
        }
    }

    private static func check(_ schema: [String: Any]) throws(GeminiRefusal) {
        for (name, value) in schema {
            guard keywords.contains(name) else {
                throw .argument(
                    "Invalid JSON payload received. Unknown name \"\(name)\" at 'generation_config.response_schema': "
                        + "Cannot find field.")
            }
            if name == "type" {
                let types = ["OBJECT", "ARRAY", "STRING", "INTEGER", "NUMBER", "BOOLEAN", "NULL"]
                guard let type = value as? String, types.contains(type.uppercased()) else {
                    throw .argument("Invalid value at 'generation_config.response_schema.type'")
                }
            }
            if name == "items", let items = value as? [String: Any] { try check(items) }
            guard name == "properties", let members = value as? [String: Any] else { continue }
            for member in members.values { if let member = member as? [String: Any] { try check(member) } }
        }
    }
}
