import Gateway
import Messages

extension Problem {
    init(_ refusal: MessageRefusal) {
        self =
            switch refusal {
            case .unknownPerson: .unknownPerson
            case .selfTarget: .conflict(code: .selfTarget, "You cannot write to yourself.")
            case .unknownThread: .unknownThread
            case .unknownMessage: .unknownMessage
            case .otherMessage:
                .conflict(
                    code: .otherMessage,
                    "You have sent another message with this id in this thread. Send each message with its own.")
            case .requestPending:
                .conflict(
                    code: .requestPending,
                    "This conversation is a request that has no answer yet. You can write again once it is accepted.")
            case .requestNotAccepted:
                .conflict(
                    code: .requestPending,
                    "This conversation is a request that you have not answered. It has no read mark until you accept "
                        + "it.")
            case .messagesRefused:
                .conflict(code: .messagesRefused, "This person does not receive messages from you.")
            case .threadClosed:
                .conflict(code: .threadClosed, "Nothing can be sent in this conversation any longer.")
            }
    }

    /// Nobody learns from it whether a person does not exist, hides, has blocked them, is suspended or was erased.
    static let unknownPerson = Problem(
        .notFound, code: .notFound, title: "Not found",
        detail: "There is nobody with that name, or you may not see them.")

    /// Nobody learns from it whether a thread is somebody else's.
    static let unknownThread = Problem(
        .notFound, code: .notFound, title: "Not found", detail: "You have no thread with this id.")

    static let unknownMessage = Problem(
        .notFound, code: .notFound, title: "Not found", detail: "There is no such message in your thread.")
}
