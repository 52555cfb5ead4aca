import Gateway

extension ProblemCode {
    package static let otherMessage = ProblemCode("otherMessage")
    package static let requestPending = ProblemCode("requestPending")
    package static let messagesRefused = ProblemCode("messagesRefused")
    package static let threadClosed = ProblemCode("threadClosed")

    /// The codes of this domain.
    package static let messages: [ProblemCode] = [otherMessage, requestPending, messagesRefused, threadClosed]
}
