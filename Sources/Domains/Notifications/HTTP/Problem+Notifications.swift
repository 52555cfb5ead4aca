import Gateway
import Notifications

extension Problem {
    init(_ refusal: NotificationRefusal) {
        self =
            switch refusal {
            case .unknownPerson: .unauthorized
            case .tooManyTargets(let limit):
                .conflict(
                    code: .tooManyPushTargets,
                    "Your notifications are pushed to \(limit) devices and topics, and one person may not have more. "
                        + "Remove one that you do not use any more first.")
            case .unknownTarget: .notFound("push target")
            case .numberTooHigh(let last):
                .invalidRequest(
                    code: .invalidField,
                    "$.number: it is above \(last), the number of the last change. Send the number of a notification.",
                    field: "$.number")
            case .unknownKind(let name):
                .invalidRequest(
                    code: .invalidField,
                    "$.kinds: there is no kind of notifications '\(name.prefix(40))'. GET /v1/notifications/settings "
                        + "lists the kinds.", field: "$.kinds")
            }
    }
}
