import Glibc

/// File descriptors that a process holds so that it can free them when it has no others left.
///
/// A process without a free descriptor does more than fail to open files: libdispatch terminates it (SIGILL) when it
/// cannot read the state of its own threads in `/proc`.
package struct DescriptorReserve: Sendable {
    private let count: Int
    private let open: @Sendable () -> Int32?
    private let close: @Sendable (Int32) -> Void
    private var held: [Int32] = []

    /// Holds nothing yet.
    ///
    /// - Parameters:
    ///   - count: how many descriptors it holds.
    ///   - open: opens a descriptor; `nil` when none is left.
    package init(
        count: Int, open: @escaping @Sendable () -> Int32? = Self.openNull,
        close: @escaping @Sendable (Int32) -> Void = { _ = Glibc.close($0) }
    ) {
        (self.count, self.open, self.close) = (count, open, close)
    }

    /// Whether the descriptors are held.
    package var isHeld: Bool { !held.isEmpty }

    /// Opens the descriptors unless they are held.
    ///
    /// - Returns: whether all are held now. If not, none is.
    package mutating func acquire() -> Bool {
        while held.count < count {
            guard let descriptor = open() else {
                free()
                return false
            }
            held.append(descriptor)
        }
        return true
    }

    /// Closes the descriptors.
    package mutating func free() {
        for descriptor in held { close(descriptor) }
        held = []
    }

    /// Opens `/dev/null`; `nil` when no descriptor is left.
    package static let openNull: @Sendable () -> Int32? = {
        let descriptor = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
        return descriptor < 0 ? nil : descriptor
    }
}
