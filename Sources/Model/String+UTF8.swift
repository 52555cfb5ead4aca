extension String {
    /// A text from bytes that must be UTF-8; `nil` when they are not.
    ///
    /// The same as `String(validating:as:)`, which looks two generic types up for each text. That showed where a job
    /// brings half a dozen short texts, nearly all of them ASCII.
    package init?(checkedUTF8 bytes: UnsafeBufferPointer<UInt8>) {
        if bytes.allSatisfy({ $0 < 0x80 }) {
            self.init(decoding: bytes, as: UTF8.self)
        } else {
            self.init(validating: bytes, as: UTF8.self)
        }
    }
}
