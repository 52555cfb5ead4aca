import Accounts
import Bootstrap
import CommandSupport
import Domains
import Model
import Storage

extension DoctorCheck {
    /// Whether the rows of removed people are deleted, and their copies in the write-ahead log and in the file.
    static let cleaning = DoctorCheck("cleaning") { context in
        let tables = PersonalTables(of: context.domains)
        let found = try await context.read { reader in
            let backlog = try reader.accounts.erasureBacklog()
            let unmarked = try reader.accounts.unmarkedErasures(tables: tables, limit: 100)
            return (try reader.cleaningState(), (backlog.count + unmarked.count, backlog.oldest), try reader.fileSize())
        }
        guard let (state, (owed, oldest), size) = found else {
            return [.warning("The state of the cleaning cannot be read.", "Repair the database first.")]
        }
        let isGatewayThere = context.processes.gateway != nil
        let now = Timestamp.now()
        return [
            erasureFinding(owed, oldest: oldest, now: now, isGatewayThere: isGatewayThere),
            logFinding(dueSince: state.logDueSince, now: now, isGatewayThere: isGatewayThere),
            fileFinding(nextPage: state.nextPage, size: size, isGatewayThere: isGatewayThere),
        ]
    }

    /// - Parameters:
    ///   - count: the number of removed people with rows.
    ///   - oldest: the beginning of the oldest erasure; `nil` when none has begun.
    static func erasureFinding(_ count: Int, oldest: Timestamp?, now: Timestamp, isGatewayThere: Bool) -> Finding {
        guard count > 0 else { return .ok("No rows of removed people are left.") }
        let people = "\(count) removed \(count == 1 ? "person" : "people") still \(count == 1 ? "has" : "have") rows"
        guard let oldest else {
            let text = people + ", which were written after the removal."
            return isGatewayThere ? .ok(text) : .warning(text, "The gateway deletes them: start it.")
        }
        let age = oldest.duration(to: now)
        let text = people + ", the first for \(HumanTime.text(age))."
        // The gateway tries again every ten minutes.
        guard age > .seconds(1_800) else { return .ok(text) }
        return .warning(
            text,
            isGatewayThere
                ? "The gateway's log says why: look for the upkeep step accounts.eraseLeftovers."
                : "The gateway deletes them: start it.")
    }

    static func logFinding(dueSince: Timestamp?, now: Timestamp, isGatewayThere: Bool) -> Finding {
        guard let dueSince else { return .ok("The write-ahead log contains no rows of removed people.") }
        let age = dueSince.duration(to: now)
        let text =
            "The write-ahead log has contained rows of removed people for \(HumanTime.text(age)); it must be truncated."
        guard age > .seconds(60) else { return .ok(text) }
        return .warning(
            text,
            isGatewayThere
                ? "A long read prevents that: a backup, or another program that has the database open. End it."
                : "Only the gateway truncates the log: start it.")
    }

    /// - Parameters:
    ///   - nextPage: the page to clean next; `nil` when the whole file is clean.
    ///   - size: the file's size in pages and in bytes.
    static func fileFinding(nextPage: Int64?, size: (pages: Int64, bytes: Int64), isGatewayThere: Bool) -> Finding {
        guard size.pages < CleaningState.maximumPages else {
            return .warning(
                "The size of the database is \(HumanTime.bytes(size.bytes)); only smaller ones are cleaned of copies "
                    + "of deleted rows.",
                "Keep finished jobs for a shorter time (jobs.retentionHours), or rewrite the file without any trace of "
                    + "deleted rows: stop everything, then run 'backline compact'.")
        }
        guard let nextPage else { return .ok("No page of the file contains copies of deleted rows.") }
        let text =
            "The file is being cleaned of copies of deleted rows that another program left: page \(nextPage) of "
            + "\(size.pages)."
        return isGatewayThere ? .ok(text) : .warning(text, "The gateway does this: start it.")
    }
}

extension ReadTransaction {
    /// The size of the database file, in pages and in bytes.
    fileprivate func fileSize() throws -> (pages: Int64, bytes: Int64) {
        let pages = try pageCount()
        let size: Int64 = try row(.onlySQLite("PRAGMA page_size"))?["page_size"] ?? 0
        return (pages, pages * size)
    }
}
