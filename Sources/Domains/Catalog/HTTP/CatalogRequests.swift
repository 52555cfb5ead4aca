import Catalog
import Contracts
import Foundation
import Gateway
import Hummingbird
import Model
import Storage

/// The checked text of a person's search: the parameter `q`.
struct CatalogText: Sendable {
    let text: String

    /// - Throws: a ``Problem`` that names the parameter.
    init(_ request: Request) throws {
        guard let text = try request.text("q") else {
            throw Problem.invalidRequest(code: .invalidParameter, "q: say what to search for.", field: "q")
        }
        try self.init(text)
    }

    init(_ text: String) throws {
        let count = text.unicodeScalars.count
        guard count <= CatalogQuery.maximumLength else {
            throw Problem.invalidRequest(
                code: .invalidParameter,
                "q: \(count) characters are too many; at most \(CatalogQuery.maximumLength) are allowed.", field: "q")
        }
        guard CatalogQuery(text, of: .spotify, market: "") != nil else {
            throw Problem.invalidRequest(
                code: .invalidParameter, "q: the text has no letter, digit or symbol to search for.", field: "q")
        }
        self.text = text
    }

    func query(market: String, offset: Int) -> CatalogQuery? {
        CatalogQuery(text, of: .spotify, market: market, offset: offset)
    }
}

/// The cursors of further pages of a section of an answer.
enum CatalogCursors {
    /// The type of a search's hits, and an offset at the service.
    static let search = Keyset<String, Int>("catalogSearch")
    /// An offset in an item's contents.
    static let item = Keyset<Int>("catalogItem")
    /// The offsets at which a further page can begin. Cursors can be made by hand, and workers compute with the offset.
    static let offsets = 1...10_000
}

extension Request {
    /// `?types=`: a list separated by commas; without it, all types. Each type counts once, in the order of
    /// `CatalogType`.
    ///
    /// - Throws: a ``Problem`` that lists the types.
    func catalogTypes() throws -> [CatalogType] {
        guard let text = parameter("types") else { return CatalogType.allCases }
        let words = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        let types = try words.map { word in
            guard let type = CatalogType(rawValue: word) else {
                throw Problem.invalidRequest(
                    code: .invalidParameter,
                    "types: expected some of \(CatalogType.allCases.map(\.rawValue).joined(separator: ",")), found "
                        + "'\(word.prefix(40))'.", field: "types")
            }
            return type
        }
        guard !types.isEmpty else {
            throw Problem.invalidRequest(
                code: .invalidParameter, "types: name at least one, or leave the parameter out for all.",
                field: "types")
        }
        return CatalogType.allCases.filter { types.contains($0) }
    }

    /// `?timeRange=`; `short_term` without it.
    ///
    /// - Throws: a ``Problem`` that lists the ranges.
    func topRange() throws -> TopRange {
        guard let text = parameter("timeRange") else { return .short }
        guard let range = TopRange(rawValue: text) else {
            throw Problem.invalidRequest(
                code: .invalidParameter, "timeRange: \(TopRange.expectation), found '\(text.prefix(40))'.",
                field: "timeRange")
        }
        return range
    }

    /// `?screen=`: the id that a page gives to one of its screens.
    ///
    /// - Throws: a ``Problem``.
    func screenID() throws -> ScreenID? {
        try parameter("screen").map { text in
            guard let screen = ScreenID(text) else {
                throw Problem.invalidRequest(
                    code: .invalidParameter,
                    "screen: expected 1 to 64 ASCII letters, digits, '-' and '_'.", field: "screen")
            }
            return screen
        }
    }
}
