/// A text from a model, and the complete JSON values in it, whatever surrounds them: thoughts, remarks or code fences,
/// with brackets of their own. Reading is linear in the length of the text.
struct ModelText {
    struct Part {
        var value: ModelValue
        /// Its range in the text's scalars.
        var range: Range<Int>
    }

    let parts: [Part]
    /// Whether a bracket opens a value that the text does not complete.
    let isUnended: Bool
    private let scalars: [Unicode.Scalar]

    init(_ text: String) { self.init(Array(text.unicodeScalars)) }

    private init(_ scalars: [Unicode.Scalar]) {
        var reader = ModelValueReader(scalars)
        parts = reader.parts()
        (isUnended, self.scalars) = (reader.isUnended, scalars)
    }

    var values: [ModelValue] { parts.map(\.value) }

    /// Whether the text completes everything that it has begun, so that it may be a whole answer although the model ran
    /// out of room: no value is open, nor is a section of thoughts, in which values are only drafts.
    static func isWhole(_ text: String) -> Bool {
        let outer = ModelText(text)
        return !outer.isUnended && outer.decoded?.isUnended != true && !isThinking(text)
    }

    private static func isThinking(_ text: String) -> Bool {
        let text = text.lowercased()
        func end(of tags: [String]) -> String.Index? { tags.compactMap { text.ranges(of: $0).last?.upperBound }.max() }
        guard let opening = end(of: ["<think", "[think", "◁think", "<thought", "<reason"]) else { return false }
        let closing = end(of: ["</think", "[/think", "◁/think", "</thought", "</reason"])
        return closing.map { $0 < opening } ?? true
    }

    // MARK: What surrounds values

    /// Whether the text has nothing but the value at a range, perhaps in a code fence.
    func isAlone(_ range: Range<Int>) -> Bool {
        guard parts.count == 1 else { return false }
        let (before, after) = (rest(of: scalars[..<range.lowerBound]), rest(of: scalars[range.upperBound...]))
        return ["", "json", "jsonl", "ndjson", "jsonlines"].contains(before.lowercased()) && after.isEmpty
    }

    private func rest(of part: ArraySlice<Unicode.Scalar>) -> String {
        // Anything longer is more than the name of a language.
        let rest = part.lazy.filter { !ModelValueReader.isBlank($0) && $0 != "`" && $0 != "\u{FEFF}" }.prefix(10)
        return String(String.UnicodeScalarView(rest))
    }

    /// The parts that a condition selects, grouped into runs that follow one another like the lines of a list (JSON
    /// Lines, a list without brackets, or items with bullets or numbers).
    func runs(of select: (ModelValue) -> Bool) -> [[Part]] {
        var runs: [[Part]] = []
        var isOpen = false
        var end = 0
        for part in parts {
            defer { end = part.range.upperBound }
            guard select(part.value) else {
                isOpen = false
                continue
            }
            if isOpen, scalars[end..<part.range.lowerBound].allSatisfy(Self.isBetweenLines) {
                runs[runs.count - 1].append(part)
            } else {
                runs.append([part])
            }
            isOpen = true
        }
        return runs
    }

    private static func isBetweenLines(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "0"..."9", ".", ")", "-", "*", "\u{2022}", ";": true
        default: ModelValueReader.isBlank(scalar) || ModelValueReader.separators.contains(scalar)
        }
    }

    // MARK: Twice encoded

    /// The text that results if this text is itself the encoded content of a JSON string: `"{\"songs\": [1]}"`, with or
    /// without the quotation marks around it. `nil` for a text that cannot be that.
    var decoded: ModelText? {
        var decoded: [Unicode.Scalar] = []
        decoded.reserveCapacity(scalars.count)
        var hasMarks = false
        var position = 0
        while position < scalars.count {
            let scalar = scalars[position]
            guard scalar == "\\", position + 1 < scalars.count else {
                decoded.append(scalar)
                position += 1
                continue
            }
            let escaped = scalars[position + 1]
            position += 2
            switch escaped {
            case "\"":
                hasMarks = true
                decoded.append(escaped)
            case "n", "r", "t": decoded.append("\n")
            case "u" where scalars[position...].starts(with: "0022".unicodeScalars):
                hasMarks = true
                decoded.append("\"")
                position += 4
            // The reader of the inner text handles these escapes.
            case "u": decoded += ["\\", "u"]
            default: decoded.append(escaped)
            }
        }
        return hasMarks ? ModelText(decoded) : nil
    }
}
