import Model

extension WorkerMessage {
    package var type: MessageType {
        switch self {
        case .hello: .hello
        case .heartbeat: .heartbeat
        case .done: .done
        case .progress: .progress
        case .submitted: .submitted
        case .draining: .draining
        case .goodbye: .goodbye
        case .metrics: .metrics
        case .cleared: .cleared
        case .changed: .changed
        }
    }

    package func encoded() -> [UInt8] {
        var writer = WireWriter(message: type.rawValue)
        switch self {
        case .hello(let worker):
            writer.write(worker.name)
            writer.write(worker.instance)
            writer.write(worker.processID)
            writer.write(worker.version)
            writer.write(worker.capacity)
            writer.write(list: worker.kinds) {
                $0.write($1.kind)
                $0.write(Int32(clamping: $1.version))
            }
        case .heartbeat(let held, let credit):
            writer.write(credit)
            writer.write(list: held) { $0.write($1) }
        case .done(let ended, let credit):
            writer.write(credit)
            writer.write(list: ended) {
                $0.write($1.run)
                $0.write($1.outcome.rawValue)
                $0.write($1.runAt)
            }
        case .progress(let runs):
            writer.write(list: runs) { $0.write($1) }
        case .submitted, .draining, .goodbye:
            break
        case .metrics(let report):
            writer.write(report)
        case .cleared(let runs):
            writer.write(list: runs) { $0.write($1) }
        case .changed(let userIDs):
            writer.write(list: userIDs) { $0.write($1) }
        }
        return writer.bytes
    }

    package init(decoding frame: [UInt8]) throws {
        var reader = WireReader(frame)
        switch try reader.readHeader(MessageType.self) {
        case .hello:
            self = .hello(
                WorkerIntroduction(
                    name: try reader.readText(), instance: try reader.readText(), processID: try reader.read(),
                    version: try reader.readText(), capacity: try reader.read(),
                    kinds: try reader.readList {
                        KindVersion(kind: try $0.readText(), version: Int(try $0.read(Int32.self)))
                    }))
        case .heartbeat:
            let credit = try reader.readCredit()
            self = .heartbeat(held: try reader.readList { try $0.readRun() }, credit: credit)
        case .done:
            let credit = try reader.readCredit()
            let ended = try reader.readList { reader in
                let run = try reader.readRun()
                guard let outcome = RunReport.Outcome(rawValue: try reader.read()) else { throw WireError.unknownValue }
                return RunReport(run: run, outcome: outcome, runAt: try reader.read())
            }
            self = .done(ended: ended, credit: credit)
        case .progress:
            self = .progress(try reader.readList { try $0.readProgress() })
        case .submitted: self = .submitted
        case .draining: self = .draining
        case .goodbye: self = .goodbye
        case .metrics: self = .metrics(try reader.readMetricReport())
        case .cleared: self = .cleared(try reader.readList { try $0.readRun() })
        case .changed: self = .changed(userIDs: try reader.readList { try $0.readText() })
        }
        try reader.finish()
    }
}

extension WireWriter {
    fileprivate mutating func write(_ credit: WorkerCredit) {
        write(credit.free)
        write(credit.received)
    }
}

extension WireReader {
    fileprivate mutating func readCredit() throws -> WorkerCredit {
        WorkerCredit(free: try read(), received: try read())
    }
}
