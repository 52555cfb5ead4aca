/// The tokens of a call of a language model, as its provider counted them.
package struct TokenUsage: Sendable, Hashable {
    package var total: Int
    /// Input and output, which together are the total; `nil` where the provider does not tell them apart.
    package var parts: Parts?

    package struct Parts: Sendable, Hashable {
        package var input: Int
        /// With the tokens of thoughts, which providers bill as output.
        package var output: Int

        package init(input: Int, output: Int) { (self.input, self.output) = (input, output) }

        /// The sum; `nil` when one of them is not known.
        package static func sum(_ first: Parts?, _ second: Parts?) -> Parts? {
            guard let first, let second else { return nil }
            return Parts(input: first.input + second.input, output: first.output + second.output)
        }
    }

    /// Tokens that are not told apart.
    package init(total: Int) { self.total = total }

    package init(input: Int, output: Int) {
        (total, parts) = (input + output, Parts(input: input, output: output))
    }

    /// - Parameters:
    ///   - total: `nil` where the provider names none; it is the sum of the others then.
    ///   - output: every part of it that the provider names. What the total has beyond it is output, too.
    /// - Returns: `nil` where the provider says too little.
    package init?(total: Int?, input: Int?, output: [Int?]) {
        let named = output.compactMap { $0 }
        guard [total, input].allSatisfy({ $0 ?? 0 >= 0 }), named.allSatisfy({ $0 >= 0 }) else { return nil }
        if let total {
            self.init(total: total)
            if let input, input <= total { parts = Parts(input: input, output: total - input) }
        } else if let input, !named.isEmpty {
            self.init(input: input, output: named.reduce(0, +))
        } else {
            return nil
        }
    }
}
