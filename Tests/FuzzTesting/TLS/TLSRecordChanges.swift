/// Changes to a client's records, chosen by an input.
enum TLSRecordChanges {
    /// What was made of records, and whether they are still those of the client.
    struct Outcome {
        var bytes: [UInt8] = []
        var isChanged = false
    }

    /// Sends records on: as they are where the input gives 0, else flipped, cut, repeated, left out or in another order.
    static func apply(to flight: [UInt8], _ input: inout InputReader, _ report: FuzzReport) -> Outcome {
        var outcome = Outcome()
        var records = split(flight)
        while !records.isEmpty {
            var record = records.removeFirst()
            let choice = input.below(24)
            report.note(30, choice)
            switch choice {
            case 1, 2:
                let place = input.number() % record.count
                record[place] ^= max(1, input.byte())
            case 3: record.removeLast(min(record.count, 1 + input.below(64)))
            case 4: outcome.bytes += record
            case 5: record = []
            case 6:
                // Behind the next one.
                if let next = records.first {
                    records[0] = record
                    record = next
                }
            case 7: record.insert(contentsOf: input.take(input.below(16)), at: min(record.count, input.below(64)))
            case 8: outcome.bytes += input.take(input.below(64))
            case 9:
                // A header of another kind, version or length.
                record[input.below(min(5, record.count))] = input.byte()
            case 10: record = [20, 3, 3, 0, 1, 1] + record
            case 11: record = [21, 3, 3, 0, 2, input.byte(), input.byte()] + record
            default:
                outcome.bytes += record
                continue
            }
            outcome.isChanged = true
            outcome.bytes += record
        }
        return outcome
    }

    /// Takes bytes apart into records; a rest that is no whole one is the last.
    static func split(_ bytes: [UInt8]) -> [[UInt8]] {
        var records: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let header = Array(rest.prefix(5))
            let count = header.count == 5 ? 5 + (Int(header[3]) << 8 | Int(header[4])) : rest.count
            records.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return records
    }
}
