import Model
import Testing

@testable import Curation

@Suite("Prompts")
struct PromptTests {
    @Test(
        "Years are read in several forms",
        arguments: [
            ("something from 1997", [1997...1997]), ("best of the 90s", [1990...1999]), ("1980s synth", [1980...1989]),
            ("00s indie", [2000...2009]), ("Musik der 70er", [1970...1979]), ("eighties night", [1980...1989]),
            ("from 1995 to 1998", [1995...1998]), ("24 songs for 3 people", []), ("blink 182", []),
        ])
    func years(prompt: String, expected: [ClosedRange<Int>]) {
        #expect(PromptReading(prompt).years == expected)
    }

    @Test("What was heard lately is told from other wishes")
    func hearing() {
        #expect(PromptReading("rainy Sunday, nothing I heard this month").heardWithinDays == 30)
        #expect(PromptReading("songs I haven't heard this year").heardWithinDays == 365)
        #expect(PromptReading("songs I heard this month").heardWithinDays == nil)
        #expect(PromptReading("never played songs").wantsUnplayed)
        #expect(!PromptReading("the best played songs").wantsUnplayed)
    }

    @Test("Genres and artists are found by their words")
    func names() {
        let reading = PromptReading("rainy jazz like Zoë Käfer")
        #expect(reading.agreement(withGenre: "Jazz") == 1)
        #expect(reading.agreement(withGenre: "Vocal Jazz") == 0.5)
        #expect(reading.agreement(withGenre: "Metal") == 0)
        #expect(reading.names("ZOE KÄFER"))
        #expect(!reading.names("Other Käfer"))
    }

    @Test(
        "Characters that control a reader's view do not leave",
        arguments: [
            ("a\u{202E}b", "ab"), ("a\u{0000}\u{0007}b", "a b"), ("  a \n\n b\t", "a b"), ("x\u{200B}y", "xy"),
            ("tag\u{E0041}\u{E0042}", "tag"), ("東京", "東京"), ("\u{2066}right\u{2069}", "right"),
        ])
    func cleaning(text: String, expected: String) {
        #expect(PromptText.cleaned(text, limit: 100) == expected)
    }

    @Test("Texts are cut to their limit")
    func limit() {
        #expect(PromptText.cleaned(String(repeating: "é", count: 500), limit: 60).unicodeScalars.count == 60)
    }
}
