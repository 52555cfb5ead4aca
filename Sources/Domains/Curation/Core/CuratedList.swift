import Model
import Storage

/// A list of songs that was made for a person: a row of `curated_lists`.
package struct CuratedList: Sendable, Hashable {
    package enum State: String, Sendable {
        case queued
        /// A model is being asked.
        case asking
        /// Songs that the model named are being looked up in a service's catalog.
        case resolving
        /// The list is being put together.
        case checking
        case complete, failed

        package var isFinished: Bool { self == .complete || self == .failed }
    }

    package let id: String
    package let userID: String
    package let request: CurationRequest
    package var state: State
    /// Empty for a blend, whose title has the other person's name (``PromptText/title(ofBlendWith:)``).
    package let title: String
    /// The model that answered; `nil` while none has.
    package var model: String?
    /// The tokens of all calls, as the provider counted them.
    package var totalTokens: Int
    /// The tokens of input and output separately; `nil` if a provider did not report them.
    package var tokenParts: TokenUsage.Parts?
    /// The cost of the calls at the prices of their time; `nil` if one of them had no price.
    package var cost: Money?
    /// How many model calls were started, without those that were refused. Each call is counted before it is made.
    var calls: Int
    /// The model call that was started and has no answer yet.
    var pendingCall: PendingCall?
    /// The model's answer, once there is a usable one.
    var answer: ModelAnswer?
    /// The songs that were looked up, in the order of the answer.
    var found: [SongMatch]
    /// What was sent to the model, as JSON; `nil` if nothing was.
    package var sent: String?
    /// Why the list was made without a model, for people; `nil` if a model made it.
    package var fallback: String?
    package var dropped: [DroppedSong]
    package var jobID: String?
    /// The other person in a blend; `nil` for other lists, for a request that reaches nobody, and once that person was
    /// erased, or one of the two blocked the other.
    package let partnerID: String?
    package var error: CurationError?
    package let createdAt: Timestamp
    package var finishedAt: Timestamp?
    package let change: Int64
    /// How many songs the person has removed since the list was made.
    let removedSongs: Int

    static let columns: SQL = """
        user_id, id, request, state, title, model, total_tokens, input_tokens, output_tokens, cost_amount,
        cost_currency, calls, pending_tokens, pending_month, answer, found, sent, fallback, dropped, job_id, partner_id,
        error_code, error_message, created_at, finished_at, change, removed_songs
        """

    init(row: Row) throws {
        userID = try row["user_id"]
        id = try row["id"]
        let (state, jobID): (State, String?) = (try row.word("state"), try row["job_id"])
        var request: CurationRequest = try JSONColumn.decode(try row["request"], column: "request")
        // Blends from before names were looked up have one.
        if jobID != nil || state == .complete { request.with = nil }
        (self.request, self.state, self.jobID) = (request, state, jobID)
        title = try row["title"]
        model = try row["model"]
        totalTokens = try row["total_tokens"]
        let (input, output): (Int?, Int?) = (try row["input_tokens"], try row["output_tokens"])
        if let input, let output { tokenParts = TokenUsage.Parts(input: input, output: output) }
        let (amount, currency): (String?, String?) = (try row["cost_amount"], try row["cost_currency"])
        if let amount, let currency { cost = Money(amountText: amount, currency: currency) }
        calls = try row["calls"]
        let (tokens, month): (Int?, String?) = (try row["pending_tokens"], try row["pending_month"])
        if let tokens, let month { pendingCall = PendingCall(tokens: tokens, month: month) }
        answer = try row.json("answer")
        found = try row.json("found") ?? []
        sent = try row["sent"]
        fallback = try row["fallback"]
        dropped = try row.json("dropped") ?? []
        partnerID = try row["partner_id"]
        let (code, message): (String?, String?) = (try row["error_code"], try row["error_message"])
        error = code.map { code in
            // The message of a blend from before names were looked up has one.
            code == CurationError.notAgreed.code ? .notAgreed : CurationError(code: code, message: message ?? "")
        }
        createdAt = try row["created_at"]
        finishedAt = try row["finished_at"]
        change = try row["change"]
        removedSongs = try row["removed_songs"]
    }
}

extension CuratedList {
    /// Adds the reply to the call that was started last.
    mutating func add(_ reply: ModelReply) {
        // Before the first reply, the cost is that of not asking a model, in a currency that may have been changed
        // since.
        cost = calls <= 1 ? reply.cost : Money.sum(cost, reply.cost)
        pendingCall = nil
        totalTokens += reply.tokens.total
        tokenParts = TokenUsage.Parts.sum(tokenParts, reply.tokens.parts)
        model = reply.model
    }

    /// Counts a call without an answer at its estimate, since the model may have used that much.
    mutating func loseCall() {
        guard let lost = pendingCall else { return }
        (pendingCall, cost, tokenParts) = (nil, nil, nil)
        totalTokens += lost.tokens
    }

    /// Whether this is a blend that the other person has not agreed to yet.
    package var awaitsConsent: Bool { request.kind == .blend && state == .queued && jobID == nil }

    /// A sentence for people if the list has fewer songs, or is shorter, than was asked for; otherwise `nil`.
    package func shortfall(of tracks: [CuratedTrack]) -> String? {
        guard state == .complete else { return nil }
        let made = tracks.count + removedSongs
        let isFull = made >= request.size
        if let minutes = request.minutes {
            let duration = tracks.reduce(0) { $0 + ($1.durationMs ?? ListRules.usualDuration) }
            guard duration < minutes * 60_000 - ListRules.tolerance else { return nil }
            let why = isFull ? "it may have at most \(request.size) songs" : Self.noOther(than: tracks, for: request)
            return "It plays \(duration / 60_000) of the \(minutes) minutes that you asked for: \(why)."
        }
        // Songs that the person has removed count as well.
        guard !isFull else { return nil }
        let why = Self.noOther(than: tracks, for: request)
        return "It has \(tracks.count) of the \(request.size) songs that you asked for: \(why)."
    }

    private static func noOther(than tracks: [CuratedTrack], for request: CurationRequest) -> String {
        let only = OnlyArtists(request.wish, among: tracks.map(\.artist))
        guard !only.isEmpty else { return "no other song fits" }
        var seen = Set<String>()
        let all = only.names.filter { seen.insert($0).inserted }.prefix(5)
        if only.areUnknown {
            let names = all.map { "“\($0)”" }.joined(separator: " or ")
            return request.source == .library
                ? "your library has no songs by \(names) that fit" : "no songs by \(names) that fit were found"
        }
        return "you asked only for songs by \(all.joined(separator: ", ")), and no other one fits"
    }

    /// A sentence for people if the prompt may ask for songs of an artist only, of whom there are none; otherwise `nil`.
    package func promptNote(on tracks: [CuratedTrack]) -> String? {
        guard state == .complete, !tracks.isEmpty,
            let name = OnlyArtists(request.wish, among: tracks.map(\.artist)).ambiguous
        else { return nil }
        return "No artist named “\(name)” was found, so this was read as a description of the songs."
    }

    /// How many of the songs that a model named were looked up; `nil` while none are being looked up.
    package var progress: (done: Int, total: Int)? {
        guard state == .resolving, let answer else { return nil }
        return (found.count, min(answer.discoveries.count, request.size * 2))
    }
}

/// A model call that was started. Its estimated usage is counted for the person until the answer reports the actual
/// usage.
struct PendingCall: Sendable, Hashable {
    /// The estimated tokens of question and answer.
    var tokens: Int
    /// The month in which they are counted (``UsageMonth``).
    var month: String
}

/// Why a list could not be made.
package struct CurationError: Error, Sendable, Hashable {
    package var code: String
    /// The message that people read.
    package var message: String

    package init(code: String, message: String) {
        (self.code, self.message) = (code, message)
    }
}

extension CurationError {
    /// The error of a blend to which the two people do not both agree, any longer or at all. It is the same when one of
    /// them has blocked the other or has left, which nobody is to tell apart.
    package static let notAgreed = CurationError(
        code: "notAgreed", message: "You and the other person do not both agree to blends.")
}

/// A song in a list: a row of `curated_tracks`.
package struct CuratedTrack: Codable, Sendable, Hashable {
    /// Where the song was found.
    package enum Origin: String, Codable, Sendable {
        case library, spotify, appleMusic
    }

    /// The song as edits name it: the id of a song in the library, or `spotify:ID` or `appleMusic:ID`.
    package var reference: String
    package var title: String
    package var artist: String
    /// Empty if no album is known.
    package var album: String
    package var durationMs: Int?
    package var origin: Origin
    /// Why it is in the list, for people.
    package var reason: String
    package var evidence: [SongEvidence]
    /// Whether it was added to reach the requested length, rather than named by the model.
    package var isFilled = false
    package var isPinned = false
    /// Whose song it is; `nil` for lists other than blends.
    package var attribution: Attribution?

    package enum Attribution: String, Codable, Sendable {
        case both, you, partner
    }
}

/// A song that was named but is not in the list.
package struct DroppedSong: Codable, Sendable, Hashable {
    /// The song as the model wrote it.
    package var said: String
    /// Why it is not in the list, for people.
    package var why: String
    /// The closest match, as `Artist – Title`.
    package var nearest: String?

    package init(said: String, why: String, nearest: String? = nil) {
        (self.said, self.why, self.nearest) = (said, why, nearest)
    }
}
