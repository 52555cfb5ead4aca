import Accounts
import Model
import Testing

@testable import Gateway

@Suite("Who guessed wrongly")
struct GuessLedgerTests {
    private static let start = MonotonicInstant(microseconds: 5_000_000)

    /// The text of a token that differs from another's in the last characters alone.
    private static func sibling(_ token: AccessToken, _ number: Int) -> AccessToken {
        let digits = String(10_000 + number)
        return AccessToken(secret: Secret(token.secret.reveal().dropLast(digits.count) + digits))
    }

    private static func guess(_ token: AccessToken, from address: String?) -> GuessLedger.Guess {
        GuessLedger.Guess(token, address: address)
    }

    /// A ledger that expectations may write to.
    private final class Book {
        private(set) var ledger = GuessLedger()

        func tried(_ guess: GuessLedger.Guess, wasRight: Bool = false) -> Bool {
            ledger.tried(guess, wasRight: wasRight, at: GuessLedgerTests.start)
        }

        /// Whether a wrong one was looked at.
        func isTried(_ guess: GuessLedger.Guess, at now: MonotonicInstant = GuessLedgerTests.start) -> Bool {
            guard ledger.mayTry(guess, at: now) else { return false }
            _ = ledger.tried(guess, wasRight: false, at: now)
            return true
        }
    }

    @Test("guesses at one credential count together from all addresses: so many at once, then one a second")
    func aimed() {
        let book = Book()
        let token = AccessToken.random()
        var tried = 0
        for second in 0..<60 {
            for number in 0..<50 {
                let guess = Self.guess(Self.sibling(token, second * 50 + number), from: "\(second).\(number)")
                if book.isTried(guess, at: Self.start.advanced(by: .seconds(second))) { tried += 1 }
            }
        }
        #expect(tried == GuessLedger.burst + 59)
        // Another person's credential is none of theirs.
        #expect(book.ledger.mayTry(Self.guess(.random(), from: "0.0"), at: Self.start.advanced(by: .seconds(59))))
    }

    @Test("who came with the right one from there before is let in while others guess at it from anywhere")
    func known() {
        let book = Book()
        let token = AccessToken.random()
        let (home, elsewhere) = (Self.guess(token, from: "home"), Self.guess(token, from: "elsewhere"))
        #expect(!book.tried(home, wasRight: true))
        for number in 0..<GuessLedger.burst {
            #expect(book.isTried(Self.guess(Self.sibling(token, number), from: "\(number)")))
        }
        #expect(book.ledger.wasRight(home) && !book.ledger.wasRight(elsewhere))
        #expect(!book.ledger.mayTry(elsewhere, at: Self.start))
        #expect(book.ledger.mayTry(elsewhere, at: Self.start.advanced(by: .seconds(1))))
        // Until it is right no more.
        #expect(!book.tried(home))
        #expect(!book.ledger.wasRight(home))
    }

    @Test("the same wrong credential again is no further guess")
    func repeated() {
        let book = Book()
        let expired = Self.guess(.random(), from: "home")
        for _ in 0..<(3 * GuessLedger.burst) {
            #expect(book.ledger.mayTry(expired, at: Self.start))
            #expect(!book.tried(expired))
        }
        for _ in 1..<GuessLedger.burst {
            #expect(!book.tried(Self.guess(.random(), from: "home")))
        }
        #expect(book.tried(expired))
    }

    @Test("what was never handed out counts each time, for its address alone")
    func malformed() {
        let book = Book()
        let nonsense = AccessToken(secret: Secret("undefined"))
        for _ in 0..<GuessLedger.burst {
            #expect(!book.tried(Self.guess(nonsense, from: "home")))
        }
        #expect(book.tried(Self.guess(nonsense, from: "home")))
        let elsewhere = Self.guess(nonsense, from: "elsewhere")
        #expect(book.ledger.mayTry(elsewhere, at: Self.start))
        #expect(!book.tried(elsewhere))
    }

    @Test("a beginning is that of a credential of its own kind, and tells 48 of its 256 bits")
    func beginning() {
        let text = "bl_abcdefgh" + String(repeating: "x", count: 35)
        func beginning(_ text: String) -> String? { AccessToken(secret: Secret(text)).beginning }
        #expect(beginning(text) == "bl_abcdefgh")
        for wrong in ["", "bl_", text + "x", String(text.dropLast()), "bls_" + text.dropFirst(3), text.dropLast() + "é"]
        {
            #expect(beginning(wrong) == nil, "\(wrong)")
        }
        for _ in 0..<100 {
            #expect(AccessToken.random().beginning?.count == 11 && SessionKey.random().beginning?.count == 12)
        }
    }
}
