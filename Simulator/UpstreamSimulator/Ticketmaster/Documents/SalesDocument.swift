/// The `sales` of an event.
struct SalesDocument: Encodable {
    struct Public: Encodable {
        var startDateTime: String?
        let startTBD = false
        var startTBA: Bool
        var endDateTime: String?
    }

    struct Presale: Encodable {
        var startDateTime: String
        var endDateTime: String
        let name = "Members' Presale"
    }

    let `public`: Public
    let presales: [Presale]?

    init(_ sales: Sales) {
        `public` = Public(
            startDateTime: sales.toBeAnnounced ? nil : sales.opens, startTBA: sales.toBeAnnounced,
            endDateTime: sales.closes)
        presales = sales.hasPresale ? [Presale(startDateTime: sales.opens, endDateTime: sales.opens)] : nil
    }
}
