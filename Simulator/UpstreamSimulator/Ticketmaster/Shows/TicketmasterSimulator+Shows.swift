/// Shows that are announced, moved, cancelled and put on sale, on command or as the simulator's date moves.
extension TicketmasterSimulator {
    /// The simulator's date, which only commands move.
    package var date: LocalDay { shows.withLock { $0.date } }

    /// The shows of an artist, in the catalog's order.
    package func shows(of artist: String) -> [ShowView] {
        let catalog = catalog
        return catalog.attractions.indices.filter { catalog.attractions[$0].name == artist }
            .flatMap { catalog.eventsByAttraction[$0] }
            .map { ShowView(catalog.events[Int($0)], in: catalog) }
    }

    /// Carries out commands, in order, all of them or none.
    ///
    /// - Returns: the shows as they are then.
    /// - Throws: ``InvalidSetting``.
    package func carryOut(_ commands: [ShowCommand]) throws -> [ShowView] {
        try change { edit in
            var changed: [ShowView] = []
            for command in commands { changed.append(try edit.carryOut(command)) }
            return changed
        }
    }

    /// Moves the date forward, with what happens on each day.
    ///
    /// - Returns: the shows that were announced or changed.
    /// - Throws: ``InvalidSetting``.
    package func advance(by days: Int) throws -> [ShowView] {
        try change { edit in try edit.advance(by: days) }
    }

    private func change(_ body: (inout ShowEdit) throws -> [ShowView]) throws -> [ShowView] {
        try shows.withLock { calendar in
            var edit = ShowEdit(catalog, calendar)
            let changed = try body(&edit)
            lazyCatalog.replace(by: edit.result)
            calendar = edit.calendar
            return changed
        }
    }
}
