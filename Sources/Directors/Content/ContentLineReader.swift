import Dispatch
import Foundation
import JSONValues
import Synchronization

/// One line of a list, independent of the lines before it.
enum ContentLine: Sendable {
    /// A section's head; the elements after it are the section's.
    indirect case head(CheckedSection)
    /// A head with a fault: the elements after it have no section.
    indirect case refusedHead(Fault)
    case element(Element)
    indirect case refusedElement(Fault)
    /// Neither a head nor an element.
    indirect case refused(Fault)
}

/// Reads the lines of a list each by itself, so that parts of the list can be read at the same time.
struct ContentLineReader: Sendable {
    /// The checks of elements and sections.
    var context: OperationContext
    /// The model of a row's elements; nil where they may be of any.
    let model: String?
    /// The adapter of the element before, which most elements share.
    var latest: CellAdapter?

    /// How many parts are read at the same time: what is read of them is held until it is taken.
    static let partsAtATime = max(1, ProcessInfo.processInfo.activeProcessorCount)

    /// Lines that were read: each that is not blank with its number in the part, from 0.
    struct Part: Sendable {
        var lines: [(offset: Int, content: ContentLine)] = []
        /// How many lines the part has, blank ones among them.
        var lineCount = 0
    }

    /// Reads parts of a text, which end with line ends, each on a processor of its own.
    ///
    /// - Parameter naming: Whether a line without an adapter is told which there are.
    /// - Returns: The parts in the order of their ranges.
    func read(_ parts: [Range<Int>], of bytes: [UInt8], naming: Bool) -> [Part] {
        guard parts.count > 1 else { return parts.map { read(bytes[$0], naming: naming) } }
        let results = Mutex([Part?](repeating: nil, count: parts.count))
        DispatchQueue.concurrentPerform(iterations: parts.count) { number in
            // A copy for each processor: a reference that several count at the same time costs more than the copy.
            let part = read(Array(bytes[parts[number]])[...], naming: naming)
            results.withLock { $0[number] = part }
        }
        return results.withLock { $0.compactMap(\.self) }
    }

    private func read(_ bytes: ArraySlice<UInt8>, naming: Bool) -> Part {
        var part = Part()
        var reader = self
        reader.context.namesAdapters = naming
        var (start, refusals) = (bytes.startIndex, 0)
        while start < bytes.endIndex {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
            if bytes[start..<end].contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) {
                let content = reader.read(Array(bytes[start..<end]))
                part.lines.append((part.lineCount, content))
                if case .refusedElement = content { refusals += 1 }
                // Nobody is told of more than these, and finding the adapters' names costs each line the same again.
                if refusals == ContentReader.keptRefusals { reader.context.namesAdapters = false }
            }
            part.lineCount += 1
            start = end + 1
        }
        return part
    }

    private mutating func read(_ bytes: [UInt8]) -> ContentLine {
        let root: JSONNode
        do {
            root = try JSONDocument(bytes).root
        } catch {
            return .refused(Fault(pointer: "", detail: "not JSON: \(error)"))
        }
        guard root.kind == .object else {
            return .refused(Fault(pointer: "", detail: "a line is an object: a section's head, or an element"))
        }
        var faults = FaultList()
        faults.reading.checksNames = context.limits.checksIdentifiers
        guard root["value"] == nil else { return element(root, &faults) }
        guard model == nil else {
            return .refused(
                Fault(pointer: "", detail: "an element needs the member \"value\"; a row has no sections"))
        }
        return head(root, &faults)
    }

    private func head(_ root: JSONNode, _ faults: inout FaultList) -> ContentLine {
        if let draft = SectionDraft.decode(root, &faults)?.resolved, faults.isEmpty {
            let section = context.section(draft, identifier: nil, pointer: "", &faults)
            if faults.isEmpty { return .head(section) }
        }
        return .refusedHead(faults.faults.first ?? Fault(pointer: "", detail: "not a section's head"))
    }

    private mutating func element(_ root: JSONNode, _ faults: inout FaultList) -> ContentLine {
        if var draft = ElementDraft.decode(root, &faults), faults.isEmpty {
            if let model {
                if let own = draft.model, !own.isVerbatim(model) {
                    let detail = "the row's elements are of the model \(model.quoted), not of \(own.quoted)"
                    return .refusedElement(Fault(pointer: "/model", detail: detail))
                }
                draft = draft.ofModel(model)
            }
            switch context.make(draft, like: latest) {
            case .success(let element):
                if element.adapter !== latest { latest = element.adapter }
                return .element(element)
            case .failure(let refusal): return .refusedElement(refusal.fault)
            }
        }
        return .refusedElement(faults.faults.first ?? Fault(pointer: "", detail: "not an element"))
    }
}
