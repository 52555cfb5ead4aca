/// The tokens of a call of a language model, as its provider counted them.
package struct TokenUsage: Sendable, Hashable {
    package var total: Int
    /// Input and output, which add up to the total; `nil` if the provider does not count them separately.
    package var parts: Parts?

    package struct Parts: Sendable, Hashable {
        package var input: Int
        /// The output tokens, including those of thoughts, which providers bill as output.
        package var output: Int

        package init(input: Int, output: Int) { (self.input, self.output) = (input, output) }

        /// The sum; `nil` when one of them is not known.
        package static func sum(_ first: Parts?, _ second: Parts?) -> Parts? {
            guard let first, let second else { return nil }
            return Parts(
                input: Int(clamping: first.input + second.input, to: serviceNumbers),
                output: Int(clamping: first.output + second.output, to: serviceNumbers))
        }
    }

    /// A total without separate counts of input and output.
    package init(total: Int) { self.total = total }

    package init(input: Int, output: Int) {
        (total, parts) = (input + output, Parts(input: input, output: output))
    }

    /// - Parameters:
    ///   - total: `nil` if the provider gives none; it is then the sum of the others.
    ///   - output: every part of the output that the provider counts. Any rest of the total is output, too.
    /// - Returns: `nil` if the provider reports too little.
    package init?(total: Int?, input: Int?, output: [Int?]) {
        guard ([total, input] + output).allSatisfy({ $0 ?? 0 >= 0 }) else { return nil }
        func bounded(_ number: Int) -> Int { Int(clamping: number, to: serviceNumbers) }
        let (total, input, named) = (total.map(bounded), input.map(bounded), output.compactMap { $0.map(bounded) })
        if let total {
            self.init(total: total)
            if let input, input <= total { parts = Parts(input: input, output: total - input) }
        } else if let input, !named.isEmpty {
            self.init(input: input, output: bounded(named.reduce(0, +)))
        } else {
            return nil
        }
    }
}
