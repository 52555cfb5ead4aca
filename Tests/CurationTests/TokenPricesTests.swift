import Curation
import Foundation
import Model
import Testing

@Suite("Prices of tokens")
struct TokenPricesTests {
    private let prices = TokenPrices(
        ["gemini-3.5-flash=0.30/2.50", "org/local:7b=0/0.000001"].compactMap { TokenPrice($0) }, currency: "EUR")

    @Test("A cost is exact, and its text has neither an exponent nor trailing zeros")
    func exactCosts() throws {
        func text(_ input: Int, _ output: Int, of model: String) -> String? {
            prices.cost(of: TokenUsage(input: input, output: output), asked: model)?.amountText
        }
        #expect(text(5_000, 1_500, of: "gemini-3.5-flash") == "0.00525")
        #expect(text(1, 0, of: "gemini-3.5-flash") == "0.0000003")
        #expect(text(0, 1, of: "org/local:7b") == "0.000000000001")
        #expect(text(1_000_000_000, 1_000_000_000, of: "gemini-3.5-flash") == "2800")
        #expect(text(9, 0, of: "org/local:7b") == "0" && prices.nothing?.amountText == "0")
        #expect(text(1, 1, of: "another") == nil && TokenPrices().nothing == nil)
        #expect(prices.cost(of: TokenUsage(total: 100), asked: "gemini-3.5-flash") == nil)
    }

    @Test("A version of a model has the model's price, and another model that answers has its own price or none")
    func pricesOfVersions() {
        func isPriced(_ answered: String?) -> Bool {
            prices.cost(of: TokenUsage(input: 1, output: 1), answered: answered, asked: "gemini-3.5-flash") != nil
        }
        #expect(isPriced(nil) && isPriced("gemini-3.5-flash") && isPriced("gemini-3.5-flash-001"))
        #expect(isPriced("org/local:7b"))
        #expect(!isPriced("gemini-3.5-flash-lite") && !isPriced("gemini-3.8-flash") && !isPriced("gemini-3.5"))
    }

    @Test("Amounts are read as they are written, and added only in one currency")
    func readingAmounts() throws {
        let cost = try #require(Money(amountText: "0.000000000001", currency: "EUR"))
        #expect(cost.amountText == "0.000000000001")
        let more = try #require(Money(amountText: "12.5", currency: "EUR"))
        #expect(Money.sum(cost, more)?.amountText == "12.500000000001")
        #expect(Money.sum(cost, Money(amount: 1, currency: "USD")) == nil && Money.sum(nil, cost) == nil)
        for text in ["", ".", "1.", ".5", "-1", "+1", "1e3", "1,5", "1.2.3", "٣", " 1"] {
            #expect(Money(amountText: text, currency: "EUR") == nil, "\(text)")
        }
    }

    @Test("Input and output are counted separately if the provider reports enough")
    func inputAndOutput() {
        #expect(TokenUsage(total: 10, input: 4, output: [5]) == TokenUsage(input: 4, output: 6))
        #expect(TokenUsage(total: nil, input: 4, output: [5, nil]) == TokenUsage(input: 4, output: 5))
        #expect(TokenUsage(total: 10, input: nil, output: [5]) == TokenUsage(total: 10))
        // If more than the total was read, neither of the two numbers can be trusted.
        #expect(TokenUsage(total: 3, input: 4, output: []) == TokenUsage(total: 3))
        #expect(TokenUsage(total: nil, input: 4, output: [nil]) == nil)
        #expect(TokenUsage(total: -1, input: nil, output: []) == nil)
        #expect(TokenUsage(total: 9, input: 1, output: [-1]) == nil)
    }
}
