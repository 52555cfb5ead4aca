import Testing

@testable import Gateway

@Suite("Metrics in Prometheus's text format")
struct MetricsPageTests {
    @Test("a counter and a gauge say what they are")
    func shape() {
        var page = MetricsPage()
        page.counter("a_total", "All of them.", 7)
        page.gauge("b", "Some.", [(["z": "1", "a": "2"], 3), ([:], -4)])
        page.gauge("c", "None.", [])
        #expect(
            page.text == """
                # HELP a_total All of them.
                # TYPE a_total counter
                a_total 7
                # HELP b Some.
                # TYPE b gauge
                b{a="2",z="1"} 3
                b -4
                # HELP c None.
                # TYPE c gauge

                """)
    }

    @Test(
        "a label's value cannot end its line or its quotes",
        arguments: [
            ("a\"b", #"a\"b"#), (#"a\b"#, #"a\\b"#), ("a\nb", #"a\nb"#), ("\\\"\n", #"\\\"\n"#), (#"\n"#, #"\\n"#),
            ("a\"} 1\nforged 2", #"a\"} 1\nforged 2"#), ("é日🎵", "é日🎵"),
            ("a\r\nb", "a\r\\nb"),
        ])
    func escaping(value: String, escaped: String) {
        var page = MetricsPage()
        page.gauge("workers", "Some.", [(["name": value], 1)])
        let lines = page.text.utf8.split(separator: UInt8(ascii: "\n")).map(Array.init)
        #expect(lines.count == 3)
        #expect(lines.last == Array("workers{name=\"\(escaped)\"} 1".utf8))
    }
}
