import Model
import Testing

@testable import Workers

@Suite("Models that Google does not offer to a key")
struct ModelRefusalsTests {
    private func at(_ seconds: Int64) -> MonotonicInstant { MonotonicInstant(microseconds: seconds * 1_000_000) }

    @Test("One key's answer says nothing about other keys or models, until three keys have had it, for an hour")
    func keys() {
        let refusals = ModelRefusals()
        func isRefused(_ model: String, _ key: String, at seconds: Int64) -> Bool {
            refusals.isRefused(model, to: Secret(key), at: at(seconds))
        }
        refusals.add("old", to: Secret("new key"), at: at(0))
        refusals.add("old", to: Secret("new key"), at: at(1))
        #expect(isRefused("old", "new key", at: 2))
        #expect(!isRefused("old", "another", at: 2) && !isRefused("new", "new key", at: 2))
        refusals.add("old", to: Secret("second"), at: at(10))
        #expect(!isRefused("old", "another", at: 11))
        refusals.add("old", to: Secret("third"), at: at(20))
        #expect(isRefused("old", "another", at: 21) && !isRefused("new", "another", at: 21))
        // The first answer is an hour old.
        #expect(!isRefused("old", "another", at: 3_602) && !isRefused("old", "new key", at: 3_602))
        #expect(isRefused("old", "second", at: 3_602))
        #expect(!isRefused("old", "third", at: 3_621))
    }
}
