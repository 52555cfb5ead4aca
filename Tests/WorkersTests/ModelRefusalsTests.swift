import Model
import Testing

@testable import CurationWorker

@Suite("Models that Google does not offer to a key")
struct ModelRefusalsTests {
    private let refusals = ModelRefusals()

    private func at(_ seconds: Int64) -> MonotonicInstant { MonotonicInstant(microseconds: seconds * 1_000_000) }

    private func add(_ key: String, of person: String, at seconds: Int64) {
        refusals.add("old", to: Secret(key), of: person, at: at(seconds))
    }

    private func isRefused(_ key: String, model: String = "old", of person: String, at seconds: Int64) -> Bool {
        refusals.isRefused(model, to: Secret(key), of: person, at: at(seconds))
    }

    @Test("One key's answer says nothing about other keys or models, until three people get it within an hour")
    func refusalsOfSeveralPeople() {
        add("new key", of: "ada", at: 0)
        add("new key", of: "ada", at: 1)
        #expect(isRefused("new key", of: "ada", at: 2))
        #expect(!isRefused("another", of: "dan", at: 2) && !isRefused("new key", model: "new", of: "ada", at: 2))
        add("second", of: "bob", at: 10)
        #expect(!isRefused("another", of: "dan", at: 11))
        add("third", of: "cyd", at: 20)
        #expect(isRefused("another", of: "dan", at: 21) && !isRefused("another", model: "new", of: "dan", at: 21))
        // The first answer is an hour old.
        #expect(!isRefused("another", of: "dan", at: 3_602) && !isRefused("new key", of: "ada", at: 3_602))
        #expect(isRefused("second", of: "bob", at: 3_602))
        #expect(!isRefused("third", of: "cyd", at: 3_621))
    }

    @Test("However many of one person's keys are refused, the model is not retired for others")
    func onePerson() {
        for number in 0..<10 {
            add("key \(number)", of: "ada", at: Int64(number))
            #expect(isRefused("key \(number)", of: "ada", at: Int64(number)))
        }
        #expect(!isRefused("another", of: "bob", at: 20) && !isRefused("key 10", of: "ada", at: 20))
        add("second", of: "bob", at: 21)
        add("second", of: "bob", at: 22)
        #expect(!isRefused("another", of: "cyd", at: 23))
    }
}
