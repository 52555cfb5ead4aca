import Accounts
import Model

/// Who guessed wrongly lately, from where and at whose credential.
///
/// Memory is bounded: of more than some thousand addresses, beginnings or credentials the oldest are forgotten.
struct GuessLedger: Sendable {
    /// So many wrong ones may come at once, from one address and of one beginning; then one a second.
    static let burst = 30
    private static let capacity = 10_000

    struct Guess: Sendable {
        /// Of the credential; `nil` for what is none.
        let hash: String?
        /// Of a credential that could be somebody's: what a guesser who is after one account has to keep to.
        let beginning: String?
        /// `nil` for local sockets.
        let address: String?

        init(address: String?) {
            (hash, beginning, self.address) = (nil, nil, address)
        }

        init<Purpose>(_ credential: Credential<Purpose>, address: String?) {
            (hash, beginning, self.address) = (credential.hash, credential.beginning, address)
        }

        fileprivate var place: String { "\(hash ?? "")@\(address ?? "")" }
    }

    private var addresses = RequestLimiter(requestsPerSecond: 1, burst: burst)
    private var beginnings = RequestLimiter(requestsPerSecond: 1, burst: burst)
    /// Credentials that were somebody's, each with the address that it came from.
    private var right: Set<String> = []
    /// Credentials that were nobody's. To send one again is no further guess: a program whose token has expired says
    /// the same until somebody looks after it, and is to be told what is wrong.
    private var wrong: Set<String> = []

    /// Whether the very same was right before, from the same address.
    func wasRight(_ guess: Guess) -> Bool {
        right.contains(guess.place)
    }

    /// Whether to look at all.
    func mayTry(_ guess: Guess, at now: MonotonicInstant) -> Bool {
        guard let beginning = guess.beginning, !wasWrong(guess) else { return true }
        return beginnings.standing(of: beginning, at: now).remaining > 0
    }

    /// Counts a guess as wrong before it is known to be.
    ///
    /// - Returns: `false`, and nothing is counted, when too many from there were wrong lately.
    mutating func begin(_ guess: Guess, at now: MonotonicInstant) -> Bool {
        guard let address = guess.address else { return true }
        return addresses.admit(address, at: now) == .admitted
    }

    /// It was right, or nobody knows.
    mutating func takeBack(_ guess: Guess) {
        if let address = guess.address { addresses.giveBack(address) }
    }

    private func isSlowed(_ guess: Guess, at now: MonotonicInstant) -> Bool {
        guard let address = guess.address else { return false }
        return addresses.standing(of: address, at: now).remaining == 0
    }

    /// Counts what came of a guess.
    ///
    /// - Returns: whether it was wrong, and too many from there were before it.
    mutating func tried(_ guess: Guess, wasRight: Bool, at now: MonotonicInstant) -> Bool {
        if wasRight {
            Self.insert(guess.place, into: &right)
            return false
        }
        right.remove(guess.place)
        let isSlowed = isSlowed(guess, at: now)
        guard !wasWrong(guess) else { return isSlowed }
        if let beginning = guess.beginning, let hash = guess.hash {
            Self.insert(hash, into: &wrong)
            _ = beginnings.admit(beginning, at: now)
        }
        if let address = guess.address { _ = addresses.admit(address, at: now) }
        return isSlowed
    }

    private func wasWrong(_ guess: Guess) -> Bool {
        guess.hash.map(wrong.contains) ?? false
    }

    private static func insert(_ text: String, into set: inout Set<String>) {
        if set.count >= capacity { set.removeAll() }
        set.insert(text)
    }
}
