import Model
import TestSupport
import Testing

@Suite("Moments and durations")
struct TimestampTests {
    @Test("A moment is written as RFC 3339 and read back to the microsecond")
    func roundTrip() {
        #expect(Timestamp(microseconds: 0).description == "1970-01-01T00:00:00.000000Z")
        #expect(Timestamp(microseconds: -1).description == "1969-12-31T23:59:59.999999Z")
        #expect(Timestamp(microseconds: 1_795_212_942_000_123).description == "2026-11-20T22:15:42.000123Z")
        #expect(Timestamp(microseconds: 951_868_799_999_999).description == "2000-02-29T23:59:59.999999Z")
        #expect(Timestamp(microseconds: -62_135_596_800_000_000).description == "0001-01-01T00:00:00.000000Z")
        #expect(Timestamp(microseconds: .min).description == "0001-01-01T00:00:00.000000Z")
        #expect(Timestamp(microseconds: .max).description == "9999-12-31T23:59:59.999999Z")
        var random = SeededRandom(seed: 3)
        for _ in 0..<500 {
            let moment = Timestamp(microseconds: Int64.random(in: 0...4_000_000_000_000_000, using: &random))
            #expect(Timestamp(rfc3339: moment.description) == moment)
        }
    }

    @Test(
        "Offsets and other precisions are read",
        arguments: [
            ("2026-11-20T22:15:42Z", 0), ("2026-11-20T23:15:42+01:00", 0), ("2026-11-20T16:45:42-05:30", 0),
            ("2026-11-20T22:15:42.5Z", 500_000), ("2026-11-20T22:15:42.000001Z", 1),
            ("2026-11-20T22:15:42.123456789Z", 123_457), ("2026-11-20T23:15:42.25+01:00", 250_000),
            ("2026-11-20t22:15:42z", 0), ("2026-11-20t22:15:42.5Z", 500_000), ("2026-11-20T22:15:42-00:00", 0),
        ])
    func readTimes(text: String, fraction: Int64) {
        #expect(Timestamp(rfc3339: text)?.microseconds == 1_795_212_942_000_000 + fraction)
    }

    @Test(
        "Other texts are refused",
        arguments: [
            "", "yesterday", "2026-11-20", "2026-11-20T22:15:42", "2026-13-20T22:15:42Z", "2026-11-20T25:15:42Z",
            "1795212942",
            "2026-11-20T22:60:00Z", "2026-11-20T22:15:60Z", "2026-02-29T22:15:42Z", "2026-11-20T22:15:42.Z",
            "2026-11-20T22:15:42.1234567890Z", "2026-11-20T24:00:00Z", "2026-11-20T22:15:42Z tomorrow",
            "２026-11-20T22:15:42Z", "2026-11-20T22:15:42+0100x", "2026-11-20T22:15:42+1:000",
            "2026-11-20T22:15:42+25:00",
        ])
    func refusedTexts(text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test("Durations are whole microseconds, rounded toward zero")
    func roundedDurations() {
        #expect(Duration.milliseconds(1_500).microseconds == 1_500_000)
        #expect(Duration.nanoseconds(1_999).microseconds == 1)
        #expect(Duration.nanoseconds(-1_999).microseconds == -1)
        #expect(Duration.seconds(-86_400 * 365_000).microseconds == -86_400 * 365_000 * 1_000_000)
        let moment = MonotonicInstant(microseconds: 10)
        #expect(moment.advanced(by: .microseconds(5)).microseconds == 15)
        #expect(moment.duration(to: MonotonicInstant(microseconds: 4)) == .microseconds(-6))
        #expect(MonotonicInstant.now() <= MonotonicInstant.now())
    }
}
