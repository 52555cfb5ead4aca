/// A kind of job with the types of its payload and result.
///
/// A domain declares its kinds as static members of this type, in an extension whose `where` clause names the two types
/// (`ConcertKinds.swift`), and lists them in its `Domain`.
package struct TypedJobKind<Payload: Sendable, Result: Sendable>: Sendable {
    package let kind: JobKind
    private let payloads: JSONCoding<Payload>
    private let results: JSONCoding<Result>

    package init(_ kind: JobKind, payloads: JSONCoding<Payload>, results: JSONCoding<Result>) {
        self.kind = kind
        self.payloads = payloads
        self.results = results
    }

    /// The JSON of a payload.
    ///
    /// - Throws: ``JobCodingError/unwritablePayload(kind:)``.
    package func text(ofPayload payload: Payload) throws(JobCodingError) -> String {
        do { return try payloads.encode(payload) } catch { throw .unwritablePayload(kind: kind.name) }
    }

    /// - Parameter version: the version with which the payload was written.
    /// - Throws: ``JobCodingError/unreadablePayload(kind:version:)``.
    package func payload(from text: String, version: Int) throws(JobCodingError) -> Payload {
        do { return try payloads.decode(text) } catch { throw .unreadablePayload(kind: kind.name, version: version) }
    }

    /// The JSON of a result.
    ///
    /// - Throws: ``JobCodingError/unwritableResult(kind:)``.
    package func text(ofResult result: Result) throws(JobCodingError) -> String {
        do { return try results.encode(result) } catch { throw .unwritableResult(kind: kind.name) }
    }

    /// - Throws: ``JobCodingError/unreadableResult(kind:)``.
    package func result(from text: String) throws(JobCodingError) -> Result {
        do { return try results.decode(text) } catch { throw .unreadableResult(kind: kind.name) }
    }
}

extension TypedJobKind where Payload: Codable, Result: Codable {
    package init(_ kind: JobKind) {
        self.init(kind, payloads: .codable, results: .codable)
    }
}

extension TypedJobKind where Payload == JSONText, Result == JSONText {
    /// A kind whose payload and result are passed on as JSON text.
    package init(verbatim kind: JobKind) {
        self.init(kind, payloads: .verbatim, results: .verbatim)
    }
}

/// A payload or result does not fit the types of its kind.
package enum JobCodingError: Error, Sendable, Equatable, CustomStringConvertible {
    case unreadablePayload(kind: String, version: Int)
    case unreadableResult(kind: String)
    /// It has a value that JSON cannot represent, such as an infinite number.
    case unwritablePayload(kind: String)
    case unwritableResult(kind: String)

    package var description: String {
        switch self {
        case .unreadablePayload(let kind, let version): "The payload of \(kind) version \(version) cannot be read."
        case .unreadableResult(let kind): "The result of \(kind) cannot be read."
        case .unwritablePayload(let kind): "The payload of \(kind) cannot be written as JSON."
        case .unwritableResult(let kind): "The result of \(kind) cannot be written as JSON."
        }
    }
}
