import Model
import Testing

@Suite("Bounded reading")
struct BoundedReadingTests {
    @Test(arguments: [
        ("0", 0), ("100", 100), ("007", 7), ("-0", 0), ("", nil), ("-", nil), ("-1", nil), ("101", nil), ("+1", nil),
        (" 1", nil), ("1e1", nil), ("1.0", nil), ("٣", nil), ("9223372036854775807", nil),
        ("-9223372036854775808", nil), ("9223372036854775808", nil), (String(repeating: "0", count: 65), nil),
    ])
    func decimalTexts(text: String, expected: Int?) {
        #expect(Int(decimal: text, in: 0...100) == expected)
        #expect(Int(decimal: text[...], in: 0...100) == expected)
    }

    @Test func theBoundsOfTheTypeAreRead() {
        #expect(Int64(decimal: "-9223372036854775808", in: .min ... .max) == .min)
        #expect(UInt64(decimal: "18446744073709551615", in: 0 ... .max) == .max)
        #expect(UInt64(decimal: "-1", in: 0 ... .max) == nil)
    }

    @Test(arguments: [
        ("12", 12), ("12.0", 12), ("1.2e1", 12), ("120E-1", 12), ("1e3", nil), ("12.5", nil), ("1e400", nil),
        ("-1e400", nil), ("nan", nil), ("0x10", nil), ("", nil), ("1" + String(repeating: "0", count: 100), nil),
    ])
    func numbersOfJSON(text: String, expected: Int?) {
        #expect(Int(json: text, in: 0...100) == expected)
    }

    @Test func numbersOfOtherTypes() {
        #expect(Int32(UInt64.max, in: 0 ... .max) == nil)
        #expect(Int(UInt64(7), in: 0...7) == 7)
        #expect(Int(Int.min, in: -1...1) == nil)
        #expect(Int(Double.nan, in: .min ... .max) == nil)
        #expect(Int(Double.infinity, in: .min ... .max) == nil)
        #expect(Int(1e19, in: .min ... .max) == nil)
        #expect(Int(0.5, in: 0...1) == nil)
        #expect(Int(rounding: 0.5, in: 0...1) == 1)
        #expect(Int(rounding: -.infinity, in: 0...1) == nil)
        #expect(Int(clamping: UInt64.max, to: 0...9) == 9)
        #expect(Int(clamping: Int.min, to: 0...9) == 0)
    }

    @Test func fractionalNumbers() {
        #expect(Double(decimal: "-1.5e1", in: -20...20) == -15)
        #expect(Double(decimal: "21", in: -20...20) == nil)
        #expect(Double(decimal: "nan", in: -20...20) == nil)
        #expect(Double(decimal: "inf", in: -.infinity ... .infinity) == nil)
        #expect(Double(decimal: "0x1p3", in: -20...20) == nil)
    }

    @Test func sumsAndProducts() {
        #expect(UInt64(1).adding(2, atMost: 3) == 3)
        #expect(UInt64(2).adding(2, atMost: 3) == nil)
        #expect(UInt64(2).adding(.max, atMost: .max) == nil)
        #expect(Int.max.multiplied(by: 2, atMost: .max) == nil)
        #expect(3.multiplied(by: 2, atMost: 6) == 6)
        #expect(3.multiplied(by: 2, atMost: 5) == nil)
    }

    @Test func rangesAreNeverInverted() {
        #expect(Range(from: 1, upTo: 3) == 1..<3)
        #expect(Range(from: 3, upTo: 1) == 3..<3)
    }

    @Test func momentsAreThoseThatCanBeWritten() {
        let bounds = Timestamp.representable
        #expect(Timestamp(seconds: 1) == Timestamp(microseconds: 1_000_000))
        #expect(Timestamp(milliseconds: -1) == Timestamp(microseconds: -1_000))
        #expect(Timestamp(seconds: Int.min) == nil)
        #expect(Timestamp(milliseconds: Int.max) == nil)
        #expect(Timestamp(seconds: UInt64.max) == nil)
        #expect(bounds.lowerBound.description == "0001-01-01T00:00:00.000000Z")
        #expect(bounds.upperBound.description == "9999-12-31T23:59:59.999999Z")
        #expect(
            Timestamp(microseconds: bounds.lowerBound.microseconds - 1).description == bounds.lowerBound.description)
        #expect(Timestamp(seconds: 253_402_300_800) == nil)
        #expect(Timestamp(seconds: 253_402_300_799)?.description == "9999-12-31T23:59:59.000000Z")
    }
}
