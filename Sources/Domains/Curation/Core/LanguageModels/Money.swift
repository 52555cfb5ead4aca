import Foundation

/// An exact amount of a currency.
package struct Money: Sendable, Hashable {
    package var amount: Decimal
    /// The currency's code (ISO 4217).
    package var currency: String

    package init(amount: Decimal, currency: String) {
        (self.amount, self.currency) = (amount, currency)
    }

    /// - Parameter text: an amount as ``amountText`` writes it.
    package init?(amountText text: String, currency: String) {
        guard let amount = Decimal(plain: text, longestFraction: 30) else { return nil }
        self.init(amount: amount, currency: currency)
    }

    /// The amount with a decimal point, without an exponent and without zeros at the end: `0.00195`.
    package var amountText: String { amount.description }

    /// The sum; `nil` when one of them is not known, or when the currencies differ.
    package static func sum(_ first: Money?, _ second: Money?) -> Money? {
        guard let first, let second, first.currency == second.currency else { return nil }
        return Money(amount: first.amount + second.amount, currency: first.currency)
    }
}

extension Decimal {
    /// Reads digits, possibly with a decimal point between them. `Decimal(string:)` accepts anything that begins with a
    /// number.
    ///
    /// - Parameter longestFraction: the most digits after the point.
    package init?(plain text: some StringProtocol, longestFraction: Int) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard
            parts.count <= 2, text.utf8.count <= 36,
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            parts.count == 1 || parts[1].utf8.count <= longestFraction
        else { return nil }
        self.init(string: String(text), locale: Locale(identifier: "en_US_POSIX"))
    }
}
