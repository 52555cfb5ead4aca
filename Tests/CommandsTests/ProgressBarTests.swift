import Testing

@testable import CommandSupport

@Suite("The progress bar")
struct ProgressBarTests {
    @Test(
        "It shows how many are done and the elapsed time",
        arguments: [
            (12, 20, 3_149, "[##############----------] 12/20  3.1 s"),
            (0, 20, 0, "[------------------------] 0/20  0.0 s"),
            (20, 20, 61_990, "[########################] 20/20  61.9 s"),
            (0, 0, 100, "[------------------------] 0/0  0.1 s"),
            (3, 2, 100, "[########################] 3/2  0.1 s"),
        ])
    func countsAndElapsedTime(done: Int, total: Int, milliseconds: Int, expected: String) {
        #expect(ProgressBar(done: done, total: total, elapsed: .milliseconds(milliseconds)).text == expected)
    }
}
