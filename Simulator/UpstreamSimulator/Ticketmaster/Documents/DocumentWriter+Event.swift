extension DocumentWriter {
    /// Writes an event with its venue and attractions.
    func writeEvent(_ index: Int32, to json: inout JSONWriter) {
        let event = catalog.events[Int(index)]
        json.object { json in
            writeHead(
                &json, name: event.name, type: "event", id: event.id, test: event.traits.contains(.test),
                url: "https://www.ticketmaster.example/event/\(event.id)")
            json.string("locale", event.locale)
            writeImages(of: event.id, hasUnknownRatio: event.traits.contains(.unknownValues), to: &json)
            writeDistance(of: event, to: &json)
            writeSales(of: event, to: &json)
            writeDates(of: event, to: &json)
            event.classification?.write(to: &json, nulls: hasNulls)
            writeParticulars(of: event, to: &json)
            writeLinks(of: event, to: &json)
            if !event.traits.contains(.bare) { writeEmbedded(of: event, to: &json) }
        }
    }

    private func writeDistance(of event: Event, to json: inout JSONWriter) {
        guard let area, let distance = area.distance(to: catalog.venues[Int(event.venue)].location) else { return }
        json.number("distance", (distance * 100_000).rounded() / 100_000)
        json.string("units", area.unit == .miles ? "MILES" : "KILOMETERS")
    }

    private func writeSales(of event: Event, to json: inout JSONWriter) {
        let sales = Sales(event: event, today: catalog.today)
        json.object("sales") { json in
            json.object("public") { json in
                if !sales.toBeAnnounced { json.string("startDateTime", sales.opens) }
                json.bool("startTBD", false)
                json.bool("startTBA", sales.toBeAnnounced)
                if let closes = sales.closes { json.string("endDateTime", closes) }
            }
            guard sales.hasPresale else { return }
            json.array("presales") { json in
                json.object { json in
                    json.string("startDateTime", sales.opens)
                    json.string("endDateTime", sales.opens)
                    json.string("name", "Members' Presale")
                }
            }
        }
    }

    /// Writes additional members that some recordings have.
    private func writeParticulars(of event: Event, to json: inout JSONWriter) {
        var numbers = SeededGenerator(seed: 1, stream: event.id)
        if numbers.chance(70) {
            json.object("promoter") { json in
                json.string("id", String(numbers.number(in: 100...9_999)))
                json.string("name", "PROMOTED BY VENUE")
            }
        }
        if numbers.chance(30) { json.string("info", "Doors open one hour before the start.") }
        if numbers.chance(20) { json.string("pleaseNote", "No re-entry.\nBags larger than A4 are not admitted.") }
        if event.traits.contains(.priced) { writePrices(of: event, &numbers, to: &json) }
        if event.traits.contains(.upsell) || event.traits.contains(.unknownValues) {
            writeProduct(of: event, to: &json)
        }
        json.object("accessibility") { _ in }
        json.object("ageRestrictions") { json in json.bool("legalAgeEnforced", false) }
        if numbers.chance(60) {
            json.object("ticketLimit") { json in
                json.string("info", "There is a limit of 10 tickets per customer.")
            }
            json.object("seatmap") { json in
                json.string("staticUrl", "https://maps.ticketmaster.example/maps/\(event.id).png")
            }
        }
        json.object("ticketing") { json in
            json.object("safeTix") { json in json.bool("enabled", numbers.chance(50)) }
            json.object("allInclusivePricing") { json in json.bool("enabled", false) }
        }
    }

    private func writePrices(of event: Event, _ numbers: inout SeededGenerator, to json: inout JSONWriter) {
        let lowest = Double(numbers.number(in: 1_900...8_900)) / 100
        json.array("priceRanges") { json in
            for (kind, surcharge) in [("standard", 0.0), ("standard including fees", 7.5)] {
                json.object { json in
                    json.string("type", kind)
                    json.string("currency", catalog.venues[Int(event.venue)].currency)
                    json.number("min", lowest + surcharge)
                    json.number("max", lowest * 2 + surcharge)
                }
            }
        }
    }

    private func writeProduct(of event: Event, to json: inout JSONWriter) {
        json.array("products") { json in
            json.object { json in
                json.string("name", event.name)
                json.string("id", String(event.id.reversed()))
                json.string("url", "https://www.ticketmaster.example/event/\(event.id)")
                json.string("type", event.traits.contains(.unknownValues) ? "Hologram" : "Upsell")
                Classification.upsell.write(to: &json)
            }
        }
    }

    private func writeLinks(of event: Event, to json: inout JSONWriter) {
        json.object("_links") { json in
            writeSelfLink(&json, "events", event.id)
            if !event.attractions.isEmpty {
                json.array("attractions") { json in
                    for attraction in event.attractions {
                        let id = catalog.attractions[Int(attraction)].id
                        json.object { json in
                            json.string("href", "/discovery/v2/attractions/\(id)?locale=\(locale)")
                        }
                    }
                }
            }
            json.array("venues") { json in
                let id = catalog.venues[Int(event.venue)].id
                json.object { json in json.string("href", "/discovery/v2/venues/\(id)?locale=\(locale)") }
            }
        }
    }

    private func writeEmbedded(of event: Event, to json: inout JSONWriter) {
        json.object("_embedded") { json in
            json.array("venues") { json in
                if hasNulls { json.null() }
                writeVenue(event.venue, to: &json)
            }
            guard !event.attractions.isEmpty else { return }
            json.array("attractions") { json in
                if hasNulls { json.null() }
                for attraction in event.attractions { writeAttraction(attraction, to: &json) }
            }
        }
    }
}
