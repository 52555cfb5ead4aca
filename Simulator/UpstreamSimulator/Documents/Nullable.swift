/// A member that is null, not missing, if it has no value.
@propertyWrapper
struct Nullable<Value: Encodable>: Encodable {
    var wrappedValue: Value?

    init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

extension Nullable: Sendable where Value: Sendable {}

/// The value of a member that is always null.
struct JSONNull: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encodeNil()
    }
}
