import Concerts
import Foundation
import Gateway
import Model
import Storage

/// A search in the API.
struct ConcertSearchResource {
    var result: ConcertSearchResult
    /// `nil` for a fresh answer that was served without a stored search.
    var id: String?

    init(_ result: ConcertSearchResult) {
        self.result = result
        id = result.search.id
    }

    /// Writes the members without the shows.
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

    func json(page: ConcertPage, pictures: PicturePaths) throws -> [UInt8] {
        let encoder = JSONEncoder()
        // Sorted, so that the same shows give the same ETag.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let resources = page.items.map { ShowResource(item: $0, pictures: pictures) }
        let items = String(decoding: try encoder.encode(resources), as: UTF8.self)
        return JSONWriter.object { json in
            writeStatus(to: &json)
            json.member("items", raw: items)
            json.member("nextCursor", page.nextCursor)
        }
    }
}

/// A page of a search's shows. The cursor is the position of the page's last show in the order, so shows that are added
/// or removed between pages neither repeat others nor hide them.
struct ConcertPage {
    let items: ArraySlice<ConcertListItem>
    let nextCursor: String?

    /// Rank, date, time and id of a show.
    typealias Position = Cursor<Int, Int, Int, String>

    init(of all: [ConcertListItem], after cursor: Position?, limit: Int) {
        let start = cursor.map { cursor in all.firstIndex { $0.position.values > cursor.values } ?? all.count } ?? 0
        items = all[start..<min(start + limit, all.count)]
        let last = items.endIndex < all.count ? items.last?.position.values : nil
        nextCursor = last.map { ConcertLists.shows.text(of: $0.0, $0.1, $0.2, $0.3) }
    }
}

extension ConcertListItem {
    /// The show's position in the order; unknown values are last.
    var position: ConcertPage.Position {
        ConcertPage.Position(artistRank ?? .max, localDate?.dayNumber ?? .max, localTime?.secondOfDay ?? .max, id)
    }
}
