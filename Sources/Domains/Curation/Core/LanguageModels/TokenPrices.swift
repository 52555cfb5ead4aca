import Foundation
import Model

/// The prices of a language model's tokens.
package struct TokenPrice: Sendable, Hashable {
    /// The greatest price of a million tokens, in any currency.
    static let greatest: Decimal = 1_000_000
    /// The most digits after the decimal point.
    static let longestFraction = 6

    /// The model's name, as its provider knows it.
    package var model: String
    /// The price of a million tokens that the model reads.
    package var input: Decimal
    /// The price of a million tokens that the model writes, thoughts included.
    package var output: Decimal

    /// - Parameter text: `MODEL=INPUT/OUTPUT`, such as `llama3.1:8b=0.02/0.05`.
    /// - Returns: `nil` for anything else.
    package init?(_ text: String) {
        guard let equals = text.lastIndex(of: "=") else { return nil }
        model = text[..<equals].trimmingCharacters(in: .whitespaces)
        let numbers = text[text.index(after: equals)...].split(separator: "/", omittingEmptySubsequences: false)
            .map { Self.price($0.trimmingCharacters(in: .whitespaces)) }
        guard (1...200).contains(model.utf8.count), numbers.count == 2, let input = numbers[0], let output = numbers[1]
        else { return nil }
        (self.input, self.output) = (input, output)
    }

    /// The text that ``init(_:)`` reads.
    package var text: String { "\(model)=\(input)/\(output)" }

    private static func price(_ text: String) -> Decimal? {
        Decimal(plain: text, longestFraction: longestFraction).flatMap { $0 <= greatest ? $0 : nil }
    }
}

/// The prices of the tokens of language models, in one currency.
package struct TokenPrices: Sendable, Hashable {
    /// The currency's code (ISO 4217).
    package var currency: String
    private var prices: [String: TokenPrice]

    /// - Parameter prices: at most one per model. If empty, no costs are known.
    package init(_ prices: [TokenPrice] = [], currency: String = "USD") {
        self.currency = currency
        self.prices = Dictionary(prices.map { ($0.model, $0) }) { first, _ in first }
    }

    /// The cost when no model was asked; `nil` without prices.
    package var nothing: Money? { prices.isEmpty ? nil : Money(amount: 0, currency: currency) }

    /// - Parameters:
    ///   - answered: the model that answered, as its provider names it; `nil` if the provider does not.
    ///   - asked: the model that was asked.
    /// - Returns: `nil` if the model has no price, or if input and output are not counted separately.
    package func cost(of usage: TokenUsage, answered: String? = nil, asked: String) -> Money? {
        guard let parts = usage.parts, let price = price(answered: answered ?? asked, asked: asked) else { return nil }
        let millionfold = Decimal(parts.input) * price.input + Decimal(parts.output) * price.output
        // This is exact: only the exponent changes.
        return Money(
            amount: Decimal(sign: .plus, exponent: -6, significand: millionfold), currency: currency)
    }

    /// A provider may let another model answer, which has its own price. `gemini-3.5-flash-001` is a version of
    /// `gemini-3.5-flash`, but `gemini-3.5-flash-lite` is another model.
    private func price(answered: String, asked: String) -> TokenPrice? {
        if let price = prices[answered] { return price }
        guard answered.hasPrefix(asked + "-"),
            answered.dropFirst(asked.count + 1).utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return prices[asked]
    }
}
