import DomainEvents
import Foundation
import Model
import NotificationSources
import Storage

extension NotificationKind {
    /// News of a concert of an artist whom the person ranks, or in the home city. The item is the number of the news.
    package static let concertNews = NotificationKind(rawValue: "concertNews")
}

extension [NotificationSource] {
    /// What people are notified of about concerts.
    package static let concerts: Self = [
        // Lookups find what is new in the course of a day.
        NotificationSource(
            .concertNews, label: "Concerts announced or changed", urgency: .low, pushInterval: .seconds(6 * 3_600)
        ) { group, reader in
            let numbers = group.events.compactMap { Int(decimal: $0.itemID, in: 0...Int.max).map(Int64.init) }
            let known = try reader.concerts.news(numbers)
            // Of an event, what happened last.
            var events: Set<String> = []
            let news = numbers.compactMap { known[$0] }
                .filter { events.insert($0.event.id).inserted }
            guard let first = news.first else { return nil }
            guard news.count > 1 else {
                let id = first.event.id.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                return NotificationContent(
                    title: "\(first.news.reason.title): \(first.event.name)", body: first.event.place,
                    path: "/concerts/" + id)
            }
            // Several concerts of a tour have one name.
            var shown: Set<String> = []
            let all = news.map(\.event.name).filter { shown.insert($0).inserted }
            let names = all.prefix(3)
            let more = all.count - names.count
            return NotificationContent(
                title: "News of \(news.count) concerts",
                body: names.joined(separator: "; ") + (more > 0 ? "; and \(more) more" : ""), path: "/feed")
        }
    ]
}

extension NewsReason {
    /// The words before the name of the concert.
    fileprivate var title: String {
        switch self {
        case .announced: "New concert"
        case .onSale: "On sale"
        case .moved: "Moved"
        case .postponed: "Postponed"
        case .cancelled: "Cancelled"
        case .reinstated: "It takes place after all"
        }
    }
}

extension ConcertEvent {
    /// Day, hall and city, as far as they are known.
    fileprivate var place: String {
        [localDate?.description, venue?.name, venue?.city].compactMap { $0 }.joined(separator: ", ")
    }
}
