import Foundation

/// The parameters of `/events.json`, checked as the real service checks them.
struct EventQuery: Sendable {
    enum Inclusion: String, Sendable {
        case yes, no, only

        func allows(_ flag: Bool) -> Bool {
            switch self {
            case .yes: true
            case .no: !flag
            case .only: flag
            }
        }
    }

    var page: PageRequest
    var keyword: String?
    var ids: [String]
    var attractionIDs: [String]
    var venueIDs: [String]
    var city: String?
    var countryCodes: [String]
    var stateCodes: [String]
    var postalCode: String?
    var area: SearchArea
    var classification: ClassificationFilter
    /// The beginning of the period in seconds since 1970; both ends are included.
    var from: Int64?
    var until: Int64?
    var includeTBA: Inclusion
    var includeTBD: Inclusion
    var includeTest: Inclusion
    var locale: LocaleFilter
    var sort: EventSort

    init(_ target: RequestTarget) throws(Refusal) {
        page = try PageRequest(target)
        keyword = target.text("keyword")
        ids = target.list("id")
        attractionIDs = target.list("attractionId")
        venueIDs = target.list("venueId")
        city = target.text("city")
        countryCodes = target.list("countryCode").map { $0.uppercased() }
        stateCodes = target.list("stateCode").map { $0.uppercased() }
        postalCode = target.text("postalCode")
        area = try SearchArea(target)
        classification = ClassificationFilter(target)
        from = try Self.moment(target["startDateTime"])
        until = try Self.moment(target["endDateTime"])
        // The documents say that undated searches include them by default; the service does not.
        includeTBA = try Self.inclusion(target, "includeTBA", default: .no)
        includeTBD = try Self.inclusion(target, "includeTBD", default: .no)
        includeTest = try Self.inclusion(target, "includeTest", default: .yes)
        locale = LocaleFilter(target["locale"])
        sort = try EventSort(target["sort"], hasPoint: area.point != nil)
    }

    private static func inclusion(
        _ target: RequestTarget, _ name: String, default standard: Inclusion
    ) throws(Refusal) -> Inclusion {
        guard let text = target.text(name) else { return standard }
        guard let inclusion = Inclusion(rawValue: text.lowercased()) else {
            throw .value(of: name, allowed: "yes, no, only")
        }
        return inclusion
    }

    /// Exactly `YYYY-MM-DDTHH:mm:ssZ`: no fraction of a second, no other zone.
    private static func moment(_ text: String?) throws(Refusal) -> Int64? {
        guard let text, !text.isEmpty else { return nil }
        let pattern = "dddd-dd-ddTdd:dd:ddZ"
        let fits =
            text.utf8.count == pattern.utf8.count
            && zip(text.utf8, pattern.utf8).allSatisfy { byte, form in
                form == UInt8(ascii: "d") ? (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) : byte == form
            }
        guard fits, let date = try? Date(text, strategy: .iso8601) else { throw .dateFormat }
        return Int64(date.timeIntervalSince1970)
    }
}

extension RequestTarget {
    /// A parameter's value; `nil` if it is absent or blank.
    func text(_ name: String) -> String? {
        self[name].map { $0.trimmingCharacters(in: .whitespaces) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
