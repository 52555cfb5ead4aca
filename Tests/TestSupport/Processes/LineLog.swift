import Foundation
import Synchronization

/// The output of a process, line by line.
package final class LineLog: Sendable {
    private struct State {
        var lines: [String] = []
        /// The text after the last line break.
        var rest: [UInt8] = []
    }

    private let state = Mutex(State())

    package var lines: [String] { state.withLock(\.lines) }

    package func contains(_ text: String) -> Bool { count(of: text) > 0 }

    /// How many lines contain `text`.
    package func count(of text: String) -> Int {
        state.withLock { state in state.lines.count { $0.contains(text) } }
    }

    private func append(_ bytes: some Sequence<UInt8>) {
        state.withLock { state in
            state.rest += bytes
            while let end = state.rest.firstIndex(of: UInt8(ascii: "\n")) {
                state.lines.append(String(decoding: state.rest[..<end], as: UTF8.self))
                state.rest.removeFirst(end + 1)
            }
        }
    }

    /// Reads this log and another from two pipes until both have ended, and closes them. Blocks.
    func read(_ descriptor: Int32, alongside other: LineLog, _ otherDescriptor: Int32) {
        var pipes = [(log: self, descriptor: descriptor), (log: other, descriptor: otherDescriptor)]
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while !pipes.isEmpty {
            var waits = pipes.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            guard poll(&waits, nfds_t(waits.count), -1) >= 0 || errno == EINTR else { return }
            for (index, wait) in waits.enumerated().reversed() where wait.revents != 0 {
                let count = Glibc.read(wait.fd, &buffer, buffer.count)
                if count > 0 {
                    pipes[index].log.append(buffer[..<count])
                } else if count == 0 || errno != EINTR {
                    close(wait.fd)
                    pipes.remove(at: index)
                }
            }
        }
    }
}
