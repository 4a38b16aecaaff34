import DirectorLife
import Directors
import JSONValues
import JournalTesting

@testable import Journal
@testable import JournalSQLite

/// Writes a director's two lists in the first form of snapshots: elements one by one, an adapter where it is first
/// needed, no identifiers.
enum EarlierSnapshot {
    static func bytes(of state: LifeState) -> [UInt8] {
        let director = state.director
        var writer = ByteWriter()
        writer.counted(StateEncoder.earlierMagic)
        writer.text(director.name)
        writer.text(director.epoch)
        writer.counted(Definition(of: director).json)
        writer.number(director.revision)
        writer.number(director.version)
        writer.number(0)
        writer.number(director.working.variables.count)
        for (name, value) in director.working.variables {
            writer.text(name.text)
            writer.counted(value.bytes)
        }
        var adapters: [CellAdapter] = []
        write(director.working.list, to: &writer, &adapters)
        write(director.published.list, to: &writer, &adapters)
        writer.number(director.version)
        writer.number(0)
        return writer.bytes
    }

    private static func write(_ list: ListState, to writer: inout ByteWriter, _ adapters: inout [CellAdapter]) {
        for section in list.sections {
            writer.number(StateEncoder.Tag.section.rawValue)
            var json = JSONWriter()
            section.encode(to: &json, includingElements: false)
            writer.counted(json.bytes)
            writer.number(0)
            writer.number(StateEncoder.Tag.own.rawValue)
            writer.number(section.elements.count)
            for element in section.elements {
                if let number = adapters.firstIndex(where: { $0 === element.adapter }) {
                    writer.number(number)
                } else {
                    writer.number(adapters.count)
                    adapters.append(element.adapter)
                    var json = JSONWriter()
                    element.adapter.encode(to: &json)
                    writer.counted(json.bytes)
                }
                writer.counted(element.value.bytes)
            }
            writer.number(StateEncoder.Tag.end.rawValue)
        }
        writer.number(StateEncoder.Tag.end.rawValue)
    }
}
