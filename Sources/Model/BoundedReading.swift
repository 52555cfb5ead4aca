/// Readers of numbers that come from outside: from people, files, models and services.
///
/// Swift terminates the process when an integer overflows, when a conversion does not fit, and when a range is
/// inverted. A number from outside therefore passes through one of these before anything is computed with it, with a
/// range that is small enough for the arithmetic that follows (docs/architecture.md, "Values from outside").
extension FixedWidthInteger {
    /// Reads decimal digits with an optional minus sign.
    ///
    /// - Returns: `nil` for any other text, and for a number outside `range`.
    package init?(decimal text: some StringProtocol, in range: ClosedRange<Self>) {
        let utf8 = text.utf8
        let digits = utf8.first == UInt8(ascii: "-") ? utf8.dropFirst() : utf8.dropFirst(0)
        guard utf8.count <= longestNumber, !digits.isEmpty,
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let value = Self(String(text)), range.contains(value)
        else { return nil }
        self = value
    }

    /// Reads a whole number as JSON writes it (RFC 8259, section 6), possibly with an exponent or zeros after the
    /// point: `12`, `1.2e1` and `12.0` are the same.
    ///
    /// - Returns: `nil` for any other text, and for a number outside `range`.
    package init?(json text: some StringProtocol, in range: ClosedRange<Self>) {
        if let value = Self(decimal: text, in: range) {
            self = value
        } else if let number = Double(decimal: text, in: -.greatestFiniteMagnitude ... .greatestFiniteMagnitude) {
            self.init(number, in: range)
        } else {
            return nil
        }
    }

    /// The same number in this type.
    ///
    /// - Returns: `nil` for a number outside `range`.
    package init?(_ value: some BinaryInteger, in range: ClosedRange<Self>) {
        guard let value = Self(exactly: value), range.contains(value) else { return nil }
        self = value
    }

    /// The same number as an integer.
    ///
    /// - Returns: `nil` for a number that is not whole, not finite, or outside `range`.
    package init?(_ value: Double, in range: ClosedRange<Self>) {
        guard let value = Self(exactly: value), range.contains(value) else { return nil }
        self = value
    }

    /// The nearest integer; if two are equally near, the one farther from zero.
    ///
    /// - Returns: `nil` for a number that is not finite, or that is outside `range` once rounded.
    package init?(rounding value: Double, in range: ClosedRange<Self>) {
        self.init(value.rounded(), in: range)
    }

    /// The number, or the nearest one in `range`: for counts that a service reports and that nothing depends on.
    package init(clamping value: some BinaryInteger, to range: ClosedRange<Self>) {
        self = Swift.min(Swift.max(Self(clamping: value), range.lowerBound), range.upperBound)
    }

    /// The sum; `nil` when it does not fit or exceeds `limit`. For sizes and counts that somebody else chose.
    package func adding(_ other: Self, atMost limit: Self) -> Self? {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow || sum > limit ? nil : sum
    }

    /// The product; `nil` when it does not fit or exceeds `limit`.
    package func multiplied(by other: Self, atMost limit: Self) -> Self? {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow || product > limit ? nil : product
    }
}

/// The numbers that are accepted from services: no list is longer, no song plays longer in milliseconds, and no answer
/// has more tokens. Their sums, and their products with page sizes, fit.
package let serviceNumbers = 0...1_000_000_000

/// The longest text of a number that is read, in bytes.
private let longestNumber = 64

extension Double {
    /// Reads a decimal number with an optional fraction and exponent.
    ///
    /// - Returns: `nil` for any other text, such as `nan`, `inf` and hexadecimal digits, and for a number outside
    ///   `range`.
    package init?(decimal text: some StringProtocol, in range: ClosedRange<Double>) {
        let utf8 = text.utf8
        let isPlain = utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "+-.eE".utf8.contains($0)
        }
        guard utf8.count <= longestNumber, isPlain, let value = Double(String(text)), range.contains(value)
        else { return nil }
        self = value
    }
}

extension Range {
    /// The range between two bounds of which either may be the greater, for example a stored and a current value. It is
    /// empty, at `lower`, if `upper` is less.
    package init(from lower: Bound, upTo upper: Bound) {
        self = lower..<Swift.max(lower, upper)
    }
}

extension Timestamp {
    /// The moments that RFC 3339 can write: the years 1 to 9999. Durations between two of them, and sums with durations
    /// of as many years, fit.
    package static let representable =
        Timestamp(microseconds: -62_135_596_800_000_000)...Timestamp(microseconds: 253_402_300_799_999_999)

    /// - Parameter seconds: since 1970-01-01T00:00:00Z.
    /// - Returns: `nil` for a moment outside ``representable``.
    package init?(seconds: some BinaryInteger) {
        self.init(whole: seconds, microsecondsEach: 1_000_000)
    }

    /// - Parameter milliseconds: since 1970-01-01T00:00:00Z.
    /// - Returns: `nil` for a moment outside ``representable``.
    package init?(milliseconds: some BinaryInteger) {
        self.init(whole: milliseconds, microsecondsEach: 1_000)
    }

    private init?(whole count: some BinaryInteger, microsecondsEach unit: Int64) {
        guard let count = Int64(exactly: count),
            case (let microseconds, let overflow) = count.multipliedReportingOverflow(by: unit), !overflow,
            Self.representable.contains(Timestamp(microseconds: microseconds))
        else { return nil }
        self.init(microseconds: microseconds)
    }
}
