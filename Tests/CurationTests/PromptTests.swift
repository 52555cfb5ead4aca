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
    func formsOfYears(prompt: String, expected: [ClosedRange<Int>]) {
        #expect(PromptAnalysis(prompt).years == expected)
    }

    @Test("Wishes about songs heard recently are distinguished from others")
    func recentlyHeardSongs() {
        #expect(PromptAnalysis("rainy Sunday, nothing I heard this month").heardWithinDays == 30)
        #expect(PromptAnalysis("songs I haven't heard this year").heardWithinDays == 365)
        #expect(PromptAnalysis("songs I heard this month").heardWithinDays == nil)
        #expect(PromptAnalysis("never played songs").wantsUnplayed)
        #expect(!PromptAnalysis("the best played songs").wantsUnplayed)
    }

    @Test("Genres and artists are found by their words")
    func genresAndArtists() {
        let analysis = PromptAnalysis("rainy jazz like Zoë Käfer")
        #expect(analysis.agreement(withGenre: "Jazz") == 1)
        #expect(analysis.agreement(withGenre: "Vocal Jazz") == 0.5)
        #expect(analysis.agreement(withGenre: "Metal") == 0)
        #expect(analysis.names("ZOE KÄFER"))
        #expect(!analysis.names("Other Käfer"))
    }

    @Test("What a prompt does not want is not a wish, and its last statement counts")
    func negatedWishes() {
        for prompt in [
            "no Ezra Ashford please", "anything but Ezra Ashford", "Ruhe, ohne Ezra Ashford", "rock, not Ezra Ashford!",
            "I don't want Ezra Ashford", "Ezra Ashford. No more Ezra Ashford", "no jazz or Ezra Ashford",
        ] {
            let analysis = PromptAnalysis(prompt)
            #expect(analysis.rejects("Ezra Ashford") && !analysis.names("Ezra Ashford"), "\(prompt)")
            #expect(analysis.unwantedNames.contains("ezra ashford"), "\(prompt)")
        }
        for prompt in [
            "Ezra Ashford", "nothing but Ezra Ashford", "not only Ezra Ashford", "no jazz, just Ezra Ashford",
            "nothing except Ezra Ashford", "no songs other than Ezra Ashford", "no one but Ezra Ashford",
            "don't play anything but Ezra Ashford", "niemand außer Ezra Ashford",
            "no jazz please some Ezra Ashford", "no Ezra Ashford. Ezra Ashford",
        ] {
            let analysis = PromptAnalysis(prompt)
            #expect(analysis.names("Ezra Ashford") && !analysis.rejects("Ezra Ashford"), "\(prompt)")
            #expect(!analysis.unwantedNames.contains("ezra ashford"), "\(prompt)")
        }
        #expect(PromptAnalysis("No Doubt songs").names("No Doubt"))
        let noJazz = PromptAnalysis("I hate jazz, more folk")
        #expect(noJazz.rejects(genre: "Jazz") && noJazz.rejects(genre: "Vocal Jazz") && !noJazz.rejects(genre: "Folk"))
        #expect(noJazz.agreement(withGenre: "Jazz") == 0 && noJazz.agreement(withGenre: "Folk") == 1)
        let noVocals = PromptAnalysis("jazz, no vocal jazz")
        #expect(noVocals.rejects(genre: "Vocal Jazz") && !noVocals.rejects(genre: "Jazz"))
        #expect(!PromptAnalysis("not too loud jazz").rejects(genre: "Jazz"))
        #expect(PromptAnalysis("music without 80s").years.isEmpty)
    }

    @Test("If wishes are too long for a model, the newest are sent")
    func newestWishesAreSent() {
        let text = String(repeating: "old ", count: 300) + "only jazz please"
        #expect(PromptText.end(of: text, limit: 100).hasSuffix("only jazz please"))
        #expect(PromptText.end(of: text, limit: 100).unicodeScalars.count == 100)
    }

    @Test("A question for 25 songs has at most 6,000 tokens, in any script", arguments: ["a", "夜"])
    func lengthOfAQuestion(letter: String) {
        let songs = (0..<400).map {
            CurationSamples.song(
                $0, artist: String(repeating: letter, count: 95) + "\($0)",
                title: String(repeating: letter, count: 95) + "\($0)")
        }
        let request = CurationSamples.request("calm", size: 25)
        let (question, asked) = ModelQuestion.about(request, candidates: songs, seeds: [], artists: [], genres: [])
        #expect(question.estimatedTokens <= 6_000 && asked >= 24)
    }

    @Test("The title is the prompt, with an ellipsis if it was truncated")
    func titleOfAList() {
        let (fits, cut) = (String(repeating: "a", count: 60), String(repeating: "a", count: 61))
        #expect(PromptText.title(of: CurationSamples.request(fits)) == "A" + fits.dropFirst())
        #expect(PromptText.title(of: CurationSamples.request(cut)) == "A" + fits.dropFirst() + "…")
    }

    @Test(
        "Characters that control how text is displayed are not sent",
        arguments: [
            ("a\u{202E}b", "ab"), ("a\u{0000}\u{0007}b", "a b"), ("  a \n\n b\t", "a b"), ("x\u{200B}y", "xy"),
            ("tag\u{E0041}\u{E0042}", "tag"), ("東京", "東京"), ("\u{2066}right\u{2069}", "right"),
        ])
    func controlCharacters(text: String, expected: String) {
        #expect(PromptText.cleaned(text, limit: 100) == expected)
    }

    @Test("Texts are truncated to their limit")
    func truncatedTexts() {
        #expect(PromptText.cleaned(String(repeating: "é", count: 500), limit: 60).unicodeScalars.count == 60)
    }
}
