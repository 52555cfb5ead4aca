import Foundation
import Model

/// Which names mean the same city: "Praha 1", "Prague" and "Prag" have one key.
///
/// Knows case, accents, hyphens, "St."/"Saint", district numbers and what follows a comma by
/// rule; names in other languages from `CityNames.txt`, which people can extend with a file
/// of their own.
package struct CityNames: Sendable {
    /// Folded name → the folded first name of its line.
    private var keys: [String: String] = [:]
    /// Key → the names of its lines, as they are written there.
    private var names: [String: [String]] = [:]

    /// Only the rules, no other languages.
    package init() {}

    /// The names that come with Backline.
    // The file is compiled in, and CityNamesTests reads every line of it: it cannot be malformed here.
    package static let builtIn = try! CityNames().extended(by: PackageResources.CityNames_txt, origin: "CityNames.txt")

    /// What two names of one city have in common; `nil` for a name without letters.
    package func key(for name: String) -> String? {
        let plain = Self.withoutQualifiers(name)
        let words = Self.words(of: plain)
        guard !words.isEmpty else { return nil }
        let whole = words.joined(separator: " ")
        if let key = keys[whole] { return key }
        // "Praha 9", "Praha 9 - Vysočany", "Paris 15e": a number that is not first counts districts.
        if let number = words.indices.dropFirst().first(where: { Self.isDistrict(words[$0]) }) {
            let city = words[..<number].joined(separator: " ")
            return keys[city] ?? city
        }
        // "Wien - Simmering": what follows a dash is cut only from a city that is known.
        if let dash = plain.firstRange(of: " - "), let key = keys[Self.folded(String(plain[..<dash.lowerBound]))] {
            return key
        }
        return whole
    }

    /// What a city is called here and there, as written in the file, its first name first; empty for a city
    /// that the file does not hold.
    package func names(of key: String) -> [String] { names[key] ?? [] }
}

extension CityNames {
    /// "Camden, NJ" and "Camden (NJ)" are Camden; see ``HomeCity`` for what the rest is good for.
    static func withoutQualifiers(_ name: String) -> String {
        let cut = name.firstIndex { ",(".contains($0) || $0 == "，" } ?? name.endIndex
        return cut == name.startIndex ? name : String(name[..<cut])
    }

    private static func folded(_ name: String) -> String {
        words(of: name).joined(separator: " ")
    }

    private static func words(of name: String) -> [String] {
        FoldedText.words(of: name).map { abbreviations[$0] ?? $0 }
    }

    private static let abbreviations = [
        "st": "saint", "sankt": "saint", "ste": "sainte", "mt": "mount", "ft": "fort",
    ]

    /// A number as districts bear them: `1`, `15e`, `1er`, `2nd`.
    private static func isDistrict(_ word: String) -> Bool {
        let digits = word.prefix { ("0"..."9").contains($0) }
        return !digits.isEmpty && digits.count <= 2
            && ["", "e", "er", "eme", "st", "nd", "rd", "th"].contains(word.dropFirst(digits.count))
    }
}

extension CityNames {
    /// Why a file of city names cannot be used.
    package struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
        package enum Problem: Error, Hashable, Sendable {
            case unreadable(String)
            case notUTF8
            case emptyName
            case singleName(String)
            case nameWithoutLetters(String)
            case nameTwice(String, firstLine: Int)
            case joinsCities(String, String)
        }

        /// The file's path or name.
        package var origin: String
        /// From 1; `nil` when the file as a whole is meant.
        package var line: Int?
        package var problem: Problem

        package var description: String {
            "\(origin)\(line.map { ", line \($0)" } ?? ""): \(explanation)"
        }

        private var explanation: String {
            switch problem {
            case .unreadable(let reason): "the file cannot be read (\(reason))."
            case .notUTF8: "the file is not UTF-8 text. Save it as UTF-8."
            case .emptyName: "there is no name between two bars, or at an end. Write names as \"Prague | Praha\"."
            case .singleName(let name):
                "\"\(name)\" stands alone. A line holds the names of one city, separated by \"|\"."
            case .nameWithoutLetters(let name): "\"\(name)\" is not a name: it has no letters."
            case .nameTwice(let name, let line):
                "\"\(name)\" stands in line \(line) too. Put all names of a city into one line."
            case .joinsCities(let first, let second):
                "this would make \"\(first)\" and \"\(second)\" one city, but they are known as two."
            }
        }
    }

    /// These names and those of the file at `path`, which has the form of `CityNames.txt`.
    package func extended(byFileAt path: String) throws(FileError) -> CityNames {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw FileError(origin: path, problem: .unreadable((error as NSError).localizedDescription))
        }
        return try extended(by: Array(data), origin: path)
    }

    /// - Parameter origin: named in errors.
    func extended(by bytes: [UInt8], origin: String) throws(FileError) -> CityNames {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw FileError(origin: origin, problem: .notUTF8)
        }
        var result = self
        var firstLines: [String: Int] = [:]
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            do {
                try result.read(String(line), number: index + 1, &firstLines)
            } catch {
                throw FileError(origin: origin, line: index + 1, problem: error)
            }
        }
        return result
    }

    private mutating func read(
        _ line: String, number: Int, _ firstLines: inout [String: Int]
    ) throws(FileError.Problem) {
        let content = line.prefix { $0 != "#" }
        guard content.contains(where: { !$0.isWhitespace }) else { return }
        var names: [String] = []
        var written: [String] = []
        for part in content.split(separator: "|", omittingEmptySubsequences: false) {
            let name = part.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            guard !name.isEmpty else { throw .emptyName }
            let folded = Self.folded(Self.withoutQualifiers(name))
            guard folded.contains(where: \.isLetter) else { throw .nameWithoutLetters(name) }
            if let first = firstLines[folded], first != number { throw .nameTwice(name, firstLine: first) }
            firstLines[folded] = number
            names.append(folded)
            written.append(name)
        }
        guard names.count > 1 else { throw .singleName(names[0]) }
        let known = Set(names.compactMap { keys[$0] }).sorted()
        guard known.count < 2 else { throw .joinsCities(known[0], known[1]) }
        let key = known.first ?? names[0]
        for name in names { keys[name] = key }
        self.names[key, default: []] += written
    }
}
