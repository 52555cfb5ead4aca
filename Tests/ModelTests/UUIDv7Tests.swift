import Model
import Testing

@Suite("Time-ordered ids")
struct UUIDv7Tests {
    @Test("Ids have the form of version 7 and sort in the order of their creation")
    func orderOfCreation() {
        let ids = (0..<20_000).map { _ in UUIDv7.next() }
        #expect(ids == ids.sorted())
        #expect(Set(ids).count == ids.count)
        for id in ids.prefix(100) {
            #expect(UUIDv7.isWellFormed(id))
            let characters = Array(id)
            #expect(characters[14] == "7")
            #expect("89ab".contains(characters[19]))
        }
    }

    @Test("Concurrent tasks create different ids")
    func concurrentIDs() async {
        let ids = await withTaskGroup(of: [String].self) { group in
            for _ in 0..<8 { group.addTask { (0..<2_000).map { _ in UUIDv7.next() } } }
            return await group.reduce(into: Set<String>()) { $0.formUnion($1) }
        }
        #expect(ids.count == 16_000)
    }

    @Test("The lower bound of a moment is between the ids before and after it")
    func lowerBound() {
        let before = UUIDv7.next()
        // Ids that are created in a burst may be slightly ahead of the clock.
        let bound = UUIDv7.lowerBound(of: Timestamp.now().advanced(by: .seconds(5)))
        #expect(before < bound)
        #expect(UUIDv7.lowerBound(of: Timestamp.now().advanced(by: .seconds(-5))) < before)
        #expect(UUIDv7.isWellFormed(bound))
        #expect(UUIDv7.lowerBound(of: Timestamp(microseconds: -5)) == UUIDv7.lowerBound(of: Timestamp(microseconds: 0)))
    }

    @Test(
        "Other texts are not well formed",
        arguments: [
            "", "019300000000700080000000000000000000", "01930000-0000-7000-8000-00000000000",
            "01930000-0000-7000-8000-00000000000G", "01930000-0000-7000-8000-00000000000A",
            "01930000_0000-7000-8000-000000000000", "01930000-0000-7000-8000-0000000000000",
        ])
    func malformedTexts(text: String) {
        #expect(!UUIDv7.isWellFormed(text))
    }
}
