/// The body of a refusal. Only the error code of a fault is read, since its text repeats the API key.
struct FaultResponse: Decodable {
    var errorCode: String?

    private enum Keys: String, CodingKey { case fault }
    private enum FaultKeys: String, CodingKey { case detail }
    private enum DetailKeys: String, CodingKey { case errorcode }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        let fault = try container.nestedContainer(keyedBy: FaultKeys.self, forKey: .fault)
        let detail = try fault.nestedContainer(keyedBy: DetailKeys.self, forKey: .detail)
        errorCode = detail.text(.errorcode)
    }
}

/// The errors of the API itself, `{"errors": [{"code", "detail", …}]}`.
struct ErrorListResponse: Decodable {
    struct Item: Decodable {
        var code: String?
        var detail: String?
    }
    var errors: LenientList<Item>
}
