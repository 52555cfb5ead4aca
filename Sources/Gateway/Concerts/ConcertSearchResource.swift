import Concerts
import Foundation
import Model
import Storage

/// A search as the API shows it.
struct ConcertSearchResource {
    var result: ConcertSearchResult
    /// `nil` for an answer that needed no search.
    var id: String?

    init(_ result: ConcertSearchResult) {
        self.result = result
        id = result.search.id
    }

    /// How far it is, without its shows.
    func writeStatus(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("state", result.outcome.state.rawValue)
        json.member("createdAt", id == nil ? nil : result.search.createdAt)
        json.member("homeCity", result.search.homeCity)
        json.member("progress") { json in
            json.object {
                $0.member("done", result.outcome.progress.done)
                $0.member("total", result.outcome.progress.total)
            }
        }
        json.member("coverage") { json in
            json.array(result.outcome.coverage) { json, artist in
                json.object {
                    $0.member("artist", artist.artist)
                    $0.member("rank", artist.rank)
                    $0.member("status", artist.status.rawValue)
                }
            }
        }
        json.member("pending") { json in
            json.array(result.outcome.pending) { json, artist in
                json.object {
                    $0.member("artist", artist.artist)
                    $0.member("rank", artist.rank)
                }
            }
        }
        json.member("warnings") { json in
            json.array(result.warnings) { json, warning in
                json.object {
                    $0.member("artist", warning.artist)
                    $0.member("code", warning.code.rawValue)
                    $0.member("message", warning.message)
                    $0.member("recovery", warning.recovery)
                }
            }
        }
    }

    var status: [UInt8] { JSONWriter.object { writeStatus(to: &$0) } }

    func json(page: ConcertPage) throws -> [UInt8] {
        let encoder = JSONEncoder()
        // Sorted, so that the same shows give the same ETag.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let items = String(decoding: try encoder.encode(Array(page.items)), as: UTF8.self)
        return JSONWriter.object { json in
            writeStatus(to: &json)
            json.member("items", raw: items)
            json.member("nextCursor", page.nextCursor)
        }
    }
}

/// A page of a search's shows. The cursor is the place of its last show in the order, so that shows
/// that come in meanwhile are neither repeated nor skip others.
struct ConcertPage {
    let items: ArraySlice<ConcertListItem>
    let nextCursor: String?

    init(of all: [ConcertListItem], after cursor: Position?, limit: Int) {
        let start = cursor.map { cursor in all.firstIndex { Position($0) > cursor } ?? all.count } ?? 0
        items = all[start..<min(start + limit, all.count)]
        nextCursor = items.endIndex < all.count ? items.last.map { Position($0).text } : nil
    }

    /// Rank, date, time and id, unknown ones last.
    struct Position: Comparable {
        var rank: Int
        var day: Int
        var second: Int
        var id: String

        init(_ item: ConcertListItem) {
            rank = item.artistRank ?? .max
            day = item.localDate?.dayNumber ?? .max
            second = item.localTime?.secondOfDay ?? .max
            id = item.id
        }

        /// Reads what ``text`` wrote.
        init?(_ text: String) {
            let parts = text.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)
            guard parts.count == 4, let rank = Self.number(parts[0]), let day = Self.number(parts[1]),
                let second = Self.number(parts[2])
            else { return nil }
            (self.rank, self.day, self.second, id) = (rank, day, second, String(parts[3]))
        }

        private static func number(_ text: Substring) -> Int? { text == "x" ? .max : Int(text) }

        var text: String {
            [rank, day, second].map { $0 == .max ? "x" : String($0) }.joined(separator: ".") + "." + id
        }

        static func < (left: Position, right: Position) -> Bool {
            (left.rank, left.day, left.second, left.id) < (right.rank, right.day, right.second, right.id)
        }
    }
}
