import Gateway
import Model
import Shares
import Storage

/// The body of `PUT /v1/me/pinned-share`.
enum SharePinRequest {
    /// - Returns: the share, and until when it is pinned; `nil` for the usual time.
    /// - Throws: ``Problem`` with the path of the wrong field.
    static func parse(_ body: RequestField, now: Timestamp) throws -> (id: ShareID, until: Timestamp?) {
        let fields = try body.object(["shareId", "until"])
        guard let field = fields["shareId"] else { throw body.refuse("the field shareId is missing.") }
        guard let id = ShareID(try field.string(limit: 100)) else { throw Problem.unknownShare }
        let latest = now.advanced(by: .seconds(ShareStore<WriteTransaction>.pinDays.most * 86_400))
        let until = try fields["until"].map { field in
            let until = try field.timestamp()
            // The client's clock may be ahead.
            guard until > now, until <= latest.advanced(by: .seconds(3_600)) else {
                throw field.refuse("expected a time from now to \(latest): a share is pinned for 30 days at most.")
            }
            return min(until, latest)
        }
        return (id, until)
    }
}
