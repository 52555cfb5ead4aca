/// The answer to a message that was published (https://docs.ntfy.sh/subscribe/api/#json-message-format).
struct NtfyMessageDocument: Encodable {
    let id: String
    let time: Int64
    let expires: Int64
    let event = "message"
    let topic: String
    let title: String?
    let message: String
    let priority: Int?
    let tags: [String]?
    let click: String?
}

/// An error of an ntfy server.
struct NtfyErrorDocument: Encodable {
    let code: Int
    let http: Int
    let error: String
    let link: String?

    init(_ code: Int, _ error: String, link: String? = nil) {
        self.code = code
        http = code / 100
        self.error = error
        self.link = link
    }
}
