import CCurl
import Model

/// The `Retry-After` header (RFC 9110, section 10.2.3): seconds, or an HTTP date in any of its three forms.
package enum RetryAfter {
    /// No provider's word is believed for longer than this.
    package static let longest = Duration.seconds(86_400)

    /// How long `response` asks to wait, or `nil` when it does not say so intelligibly.
    ///
    /// A date is read against the answer's own `Date`, so that a wrong clock on either side does no harm.
    package static func duration(in response: UpstreamResponse, now: Timestamp = .now()) -> Duration? {
        guard let text = response.headers["retry-after"] else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            // Digits that do not fit are a wish for longer than anyone waits.
            return Int64(text).map { min(.seconds($0), longest) } ?? longest
        }
        guard let until = date(text) else { return nil }
        let here = self.date(of: response) ?? now
        return min(max(.zero, here.duration(to: until)), longest)
    }

    /// How long `response`, a 429, keeps calls away: `standard` unless it says another time, and never no time at all,
    /// after which a job would come back for ever.
    package static func pause(
        in response: UpstreamResponse, orElse standard: Duration, now: Timestamp = .now()
    ) -> Duration {
        max(.seconds(1), duration(in: response, now: now) ?? standard)
    }

    /// When the answer was made, by the clock of who made it, in whole seconds; `nil` when it does not say.
    package static func date(of response: UpstreamResponse) -> Timestamp? {
        response.headers["date"].flatMap(date)
    }

    private static func date(_ text: String) -> Timestamp? {
        let seconds = curl_getdate(text, nil)
        return seconds < 0 ? nil : Timestamp(microseconds: Int64(seconds) * 1_000_000)
    }
}
