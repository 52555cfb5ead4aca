import CCurl
import Model

/// The `Retry-After` header (RFC 9110, section 10.2.3): seconds, or an HTTP date in any of its three forms.
package enum RetryAfter {
    /// The longest wait that is respected.
    package static let longest = Duration.seconds(86_400)

    /// How long `response` asks to wait; `nil` when it does not ask, or the header cannot be parsed.
    ///
    /// A date is compared with the answer's own `Date`, so that a wrong clock on either side does no harm.
    package static func duration(in response: UpstreamResponse, now: Timestamp = .now()) -> Duration? {
        guard let text = response.headers["retry-after"] else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            // A number that does not fit is longer than the longest wait.
            return Int64(decimal: text, in: 0...86_400).map { .seconds($0) } ?? longest
        }
        guard let until = date(text) else { return nil }
        let here = self.date(of: response) ?? now
        return min(max(.zero, here.duration(to: until)), longest)
    }

    /// How long a 429 pauses its key: what it asks for, or else `standard`; at least a second, since a job that waits
    /// no time at all would be retried endlessly.
    package static func pause(
        in response: UpstreamResponse, orElse standard: Duration, now: Timestamp = .now()
    ) -> Duration {
        max(.seconds(1), duration(in: response, now: now) ?? standard)
    }

    /// The `Date` of an answer, in whole seconds of the server's clock; `nil` when it has none.
    package static func date(of response: UpstreamResponse) -> Timestamp? {
        response.headers["date"].flatMap(date)
    }

    private static func date(_ text: String) -> Timestamp? {
        let seconds = curl_getdate(text, nil)
        return seconds < 0 ? nil : Timestamp(seconds: seconds)
    }
}
