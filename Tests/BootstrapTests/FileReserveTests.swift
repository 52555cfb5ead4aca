import Synchronization
import Testing

@testable import Bootstrap

@Suite("The reserve of file descriptors")
struct FileReserveTests {
    /// A table of files with a limit that a test sets.
    private final class Table: Sendable {
        private struct State {
            var limit: Int
            var open: Set<Int32> = []
        }

        private let state: Mutex<State>

        init(limit: Int, open count: Int) {
            state = Mutex(State(limit: limit, open: Set(0..<Int32(count))))
        }

        var count: Int { state.withLock(\.open.count) }

        func setLimit(_ limit: Int) { state.withLock { $0.limit = limit } }

        /// The lowest free number, as the kernel chooses it.
        func open() -> Int32? {
            state.withLock { state in
                guard let free = (0..<Int32(max(0, state.limit))).first(where: { !state.open.contains($0) }) else {
                    return nil
                }
                state.open.insert(free)
                return free
            }
        }

        func close(_ descriptor: Int32) { state.withLock { _ = $0.open.remove(descriptor) } }

        var files: FileTable {
            FileTable(
                open: { self.open() }, close: { self.close($0) },
                hasRoom: { count in self.state.withLock { $0.limit - $0.open.count >= count } })
        }
    }

    @Test("The reserve is held, freed when few descriptors are left, and taken again when there are enough")
    func freedWhenDescriptorsAreFew() {
        let table = Table(limit: 100, open: 5)
        let reserve = FileReserve(files: table.files)
        #expect(table.count == 5 + FileReserve.count)
        #expect(reserve.check() == nil)
        var opened: [Int32] = []
        while reserve.check() == nil, let descriptor = table.open() { opened.append(descriptor) }
        // The reserve reports the shortage while some descriptors are left.
        #expect(opened.count == 100 - 5 - FileReserve.count - FileReserve.margin + 1)
        #expect(table.count == 5 + opened.count)
        #expect(reserve.check() == nil && table.count == 5 + opened.count, "once")
        // If only the reserve's descriptors were free, it would be released again at once.
        table.close(opened.removeLast())
        table.close(opened.removeLast())
        #expect(reserve.check() == .enough)
        #expect(reserve.check() == nil && table.count == 5 + opened.count + FileReserve.count)
    }

    @Test("The reserve has the lowest descriptors, which stay usable when a running process's limit is lowered")
    func usableBelowALoweredLimit() {
        let table = Table(limit: 4_096, open: 3)
        let reserve = FileReserve(files: table.files)
        for _ in 0..<30 { _ = table.open() }
        table.setLimit(16)
        #expect(table.open() == nil)
        #expect(reserve.check() == .short)
        for _ in 0..<13 { #expect(table.open() != nil) }
        #expect(table.open() == nil)
        #expect(reserve.check() == nil)
        table.setLimit(4_096)
        #expect(reserve.check() == .enough)
    }

    @Test("A reserve that cannot be taken at the start is taken later")
    func acquiredAfterTheStart() {
        let table = Table(limit: 20, open: 5)
        let reserve = FileReserve(files: table.files)
        #expect(table.count == 5)
        #expect(reserve.check() == nil)
        table.setLimit(200)
        #expect(reserve.check() == .enough && table.count == 5 + FileReserve.count)
    }

    @Test("A released reserve is closed, and this process has room for one")
    func releasedAtTheEnd() {
        let table = Table(limit: 100, open: 5)
        do {
            let reserve = FileReserve(files: table.files)
            #expect(reserve.check() == nil)
        }
        #expect(table.count == 5)
        #expect(FileTable.system.hasRoom(1) && !FileTable.system.hasRoom(.max))
    }
}
