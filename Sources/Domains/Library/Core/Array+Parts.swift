extension Array {
    /// Divides the elements into parts of 500, far below the limit on a statement's bound values.
    package var inParts: [ArraySlice<Element>] {
        stride(from: 0, to: count, by: 500).map { self[$0..<Swift.min($0 + 500, count)] }
    }
}
