import Foundation
import Testing

@testable import Curation

@Suite("Refinements")
struct RefinementTests {
    private func refined(_ before: CurationRequest, with prompt: String, number: Int) -> CurationRequest {
        var request = CurationSamples.request(prompt)
        request.refine("list \(number)", wish: before.wish)
        return request
    }

    @Test("A refinement keeps the earlier wishes, in their order")
    func earlierWishesRemain() {
        var request = CurationSamples.request("calm jazz")
        request = refined(request, with: "less piano", number: 0)
        #expect(request.refines == "list 0" && request.refinedWish == "calm jazz")
        request = refined(request, with: "more songs by women", number: 1)
        #expect(request.refines == "list 1" && request.wish == "calm jazz. less piano. more songs by women")
    }

    @Test(
        "However often a list is refined, its wish has a bounded length and ends with the newest part",
        arguments: ["a", "é", "夜", "🎸", "👩‍👩‍👧‍👦", "e\u{301}", "x \n\u{202E}"])
    func boundedLengthOfWishes(letters: String) throws {
        let prompt = String(
            String.UnicodeScalarView(
                String(repeating: letters, count: CurationRequest.longestPrompt).unicodeScalars
                    .prefix(CurationRequest.longestPrompt - 10)))
        var request = CurationSamples.request(prompt)
        for number in 0..<50 {
            request = refined(request, with: "\(prompt) \(number)", number: number)
            let before = try #require(request.refinedWish)
            #expect(before.unicodeScalars.count <= CurationRequest.longestWish)
            #expect(number == 0 || before.hasSuffix(" \(number - 1)"))
        }
        #expect(request.wish.hasSuffix("48. \(prompt) 49"))
        // The form that is in the row and the job's payload.
        let size = try JSONEncoder().encode(request).count
        #expect(size <= (CurationRequest.longestWish + CurationRequest.longestPrompt) * 6 + 1_000)
    }
}
