/// Encodes documents as JSON text, front to back, with the members in the order in which a document declares them.
///
/// Foundation's encoder builds a tree of a document before it writes any text. For a page of 200 events, which is two
/// megabytes, that takes longer than the simulated latency, and a benchmark would measure the simulator. It also sorts
/// members by name or not at all, whereas recordings of the real services have an order, and writes a price of 19.0 as
/// 19.
struct DocumentEncoder: Encoder {
    /// The text so far, which all encoders and containers of a document share.
    let output: DocumentText
    /// The number of containers around the value.
    let depth: Int

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    static func text(of document: some Encodable) -> String {
        let output = DocumentText()
        do {
            try document.encode(to: DocumentEncoder(output: output, depth: 0))
        } catch {
            // Neither this encoder nor the documents throw.
            fatalError("\(type(of: document)) cannot be encoded: \(error)")
        }
        output.close(to: 0)
        return output.text
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(DocumentMembers(output: output, depth: openOnce("{", "}")))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        DocumentElements(output: output, depth: openOnce("[", "]"))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// Opens the value's container, or continues the one that is open: the members of several documents can form one
    /// object.
    private func openOnce(_ opening: String, _ closing: String) -> Int {
        guard output.depth > depth else { return output.open(opening, closing) }
        output.close(to: depth + 1)
        return depth + 1
    }
}

extension DocumentEncoder: SingleValueEncodingContainer {
    func encodeNil() { output.write("null") }
    func encode(_ value: Bool) { output.write(value) }
    func encode(_ value: String) { output.writeString(value) }
    func encode(_ value: Double) { output.write(value) }
    func encode(_ value: Float) { output.write(Double(value)) }
    func encode(_ value: some BinaryInteger & Encodable) { output.write(value) }
    func encode(_ value: some Encodable) throws { try value.encode(to: self) }
}

/// The members of an object.
private struct DocumentMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let output: DocumentText
    /// The number of containers around a member, including the object.
    let depth: Int

    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) {
        begin(key)
        output.write("null")
    }

    func encode(_ value: Bool, forKey key: Key) {
        begin(key)
        output.write(value)
    }

    func encode(_ value: String, forKey key: Key) {
        begin(key)
        output.writeString(value)
    }

    func encode(_ value: Double, forKey key: Key) {
        begin(key)
        output.write(value)
    }

    func encode(_ value: Int, forKey key: Key) {
        begin(key)
        output.write(value)
    }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        begin(key)
        try value.encode(to: DocumentEncoder(output: output, depth: depth))
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        superEncoder(forKey: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        superEncoder(forKey: key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        output.begin("super", at: depth)
        return DocumentEncoder(output: output, depth: depth)
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        begin(key)
        return DocumentEncoder(output: output, depth: depth)
    }

    private func begin(_ key: Key) { output.begin(key.stringValue, at: depth) }
}

/// The elements of an array.
private struct DocumentElements: UnkeyedEncodingContainer {
    let output: DocumentText
    /// The number of containers around an element, including the array.
    let depth: Int

    var codingPath: [any CodingKey] { [] }
    private(set) var count = 0

    init(output: DocumentText, depth: Int) {
        self.output = output
        self.depth = depth
    }

    mutating func encodeNil() { next().encodeNil() }
    mutating func encode(_ value: String) { next().encode(value) }
    mutating func encode(_ value: some Encodable) throws { try value.encode(to: next()) }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { next() }

    private mutating func next() -> DocumentEncoder {
        count += 1
        output.begin(at: depth)
        return DocumentEncoder(output: output, depth: depth)
    }
}
