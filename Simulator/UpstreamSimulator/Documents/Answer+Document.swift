extension Answer {
    /// An answer whose body is a document.
    init(
        status: Int = 200, contentType: String = "application/json;charset=utf-8", document: some Encodable,
        pause: Duration = .zero, headers: [(name: String, value: String)] = []
    ) {
        self.init(
            status: status, contentType: contentType, body: DocumentEncoder.text(of: document), pause: pause,
            headers: headers)
    }
}
