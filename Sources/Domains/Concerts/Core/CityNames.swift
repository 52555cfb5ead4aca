import Foundation
import Model

/// Names of cities: "Praha 1", "Prague" and "Prag" have the same key.
///
/// Rules handle case, accents, hyphens, "St."/"Saint", district numbers and additions after a comma. Names in other
/// languages are in `CityNames.txt`, which an operator can extend with another file.
package struct CityNames: Sendable {
    private struct Table: Sendable {
        /// The key of each folded name: the folded first name on its line.
        var keys: [String: String] = [:]
        /// The names for each key, as written in the file.
        var names: [String: [String]] = [:]
    }

    /// `nil` for the names that are part of Backline.
    private var ownTable: Table?

    /// Read when a name is first looked up, because many processes never look one up.
    // `try!` cannot fail: the file is compiled in, and CityNamesTests reads every line of it.
    private static let builtInTable =
        try! CityNames().extended(by: PackageResources.CityNames_txt, origin: "CityNames.txt").table

    private var table: Table { ownTable ?? Self.builtInTable }

    /// Names that are compared only by the rules, without other languages.
    package init() {
        ownTable = Table()
    }

    private init(ownTable: Table?) {
        self.ownTable = ownTable
    }

    /// The names that are part of Backline.
    package static let builtIn = CityNames(ownTable: nil)

    /// The key of a city's name, which all its names share; `nil` for a name without letters.
    package func key(for name: String) -> String? {
        let plain = Self.withoutQualifiers(name)
        let words = Self.words(of: plain)
        guard !words.isEmpty else { return nil }
        let keys = table.keys
        let whole = words.joined(separator: " ")
        if let key = keys[whole] { return key }
        // "Praha 9", "Praha 9 - Vysočany", "Paris 15e": a number after the first word is a district's.
        if let number = words.indices.dropFirst().first(where: { Self.isDistrict(words[$0]) }) {
            let city = words[..<number].joined(separator: " ")
            return keys[city] ?? city
        }
        // "Wien - Simmering": an addition after a dash is removed only from a known city.
        if let dash = plain.firstRange(of: " - "), let key = keys[Self.folded(String(plain[..<dash.lowerBound]))] {
            return key
        }
        return whole
    }

    /// The names of a city, as written in the file; empty for a city that is not in the file.
    package func names(of key: String) -> [String] { table.names[key] ?? [] }
}

extension CityNames {
    /// Returns "Camden" for "Camden, NJ" and "Camden (NJ)". ``HomeCity`` uses the addition.
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

    /// Whether a word is the number of a district: `1`, `15e`, `1er`, `2nd`.
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
        /// From 1; `nil` for a problem of the whole file.
        package var line: Int?
        package var problem: Problem

        package var description: String {
            "\(origin)\(line.map { ", line \($0)" } ?? ""): \(explanation)"
        }

        private var explanation: String {
            switch problem {
            case .unreadable(let reason): "the file cannot be read (\(reason))."
            case .notUTF8: "the file is not UTF-8 text. Save it as UTF-8."
            case .emptyName: "a name is missing next to a \"|\". Write names as \"Prague | Praha\"."
            case .singleName(let name):
                "the line has only the name \"\(name)\". A line has several names of one city, separated by \"|\"."
            case .nameWithoutLetters(let name): "\"\(name)\" is not a name: it has no letters."
            case .nameTwice(let name, let line):
                "\"\(name)\" is also in line \(line). Put all names of a city on one line."
            case .joinsCities(let first, let second):
                "the line joins \"\(first)\" and \"\(second)\", which are different cities."
            }
        }
    }

    /// These names together with those of the file at `path`, which has the same format as `CityNames.txt`.
    package func extended(byFileAt path: String) throws(FileError) -> CityNames {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw FileError(origin: path, problem: .unreadable((error as NSError).localizedDescription))
        }
        return try extended(by: Array(data), origin: path)
    }

    /// - Parameter origin: the name of the file in errors.
    func extended(by bytes: [UInt8], origin: String) throws(FileError) -> CityNames {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw FileError(origin: origin, problem: .notUTF8)
        }
        var result = table
        var firstLines: [String: Int] = [:]
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            do {
                try Self.read(String(line), number: index + 1, into: &result, &firstLines)
            } catch {
                throw FileError(origin: origin, line: index + 1, problem: error)
            }
        }
        return CityNames(ownTable: result)
    }

    private static func read(
        _ line: String, number: Int, into table: inout Table, _ firstLines: inout [String: Int]
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
        let known = Set(names.compactMap { table.keys[$0] }).sorted()
        guard known.count < 2 else { throw .joinsCities(known[0], known[1]) }
        let key = known.first ?? names[0]
        for name in names { table.keys[name] = key }
        table.names[key, default: []] += written
    }
}
