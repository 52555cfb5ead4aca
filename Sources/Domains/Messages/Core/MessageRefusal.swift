/// Why an act on a thread or a message is refused.
package enum MessageRefusal: Error, Sendable, Equatable {
    /// There is nobody with the name, or the person may not know that there is. Whoever asks does not learn which.
    case unknownPerson
    /// The person named themself.
    case selfTarget
    /// There is no such thread, or it is not the person's, or not in the state that the act needs.
    case unknownThread
    /// There is no such message in the thread, or it is not whose it has to be.
    case unknownMessage
    /// The person has sent another message with the same id in the thread.
    case otherMessage
    /// The other person was asked, and nothing further arrives without an answer.
    case requestPending
    /// The thread is a request that the person has not answered.
    case requestNotAccepted
    /// The other person receives no messages from this one.
    case messagesRefused
    /// Nothing can be sent in the thread: the other person is gone, or one of the two has blocked the other.
    case threadClosed
}
