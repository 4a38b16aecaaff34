import CallboardClient

/// Records of a JSON document: the elements of an array, or the values of an object's members.
struct JSONRecords {
    let path: String
    /// The place of the records; nil looks for them: the document itself, or the only array in it.
    let pointer: String?

    func read(_ content: [UInt8]) throws -> LoadedRecords {
        if pointer?.isEmpty ?? true, let elements = JSONScanner.elements(of: content) {
            let records = elements.enumerated().map { position, range in
                LoadRecord(place: .init(record: position + 1, line: nil), text: RecordText(content, in: range))
            }
            return LoadedRecords(records: records)
        }
        let document: JSON
        do {
            document = try JSON(parsing: content)
        } catch {
            // One record that is no JSON, or nested too deeply, is left out; a document that is cut off is not read at all.
            if let parts = JSONParts.records(in: content, at: pointer) { return Self.records(of: parts, content) }
            let place = TextPlace(offset: error.offset, in: content)
            throw ProgramError(
                "\(path):\(place.line):\(place.column): \(error.reason)",
                advice: "if each line is a JSON value of its own, say --format ndjson", status: .dataError)
        }
        let values: [JSON]
        switch try records(in: document) {
        case .array(let elements): values = elements
        case .object(let object): values = object.members.map(\.value)
        default:
            throw ProgramError(
                "\(path): \(pointer.map { "\"\($0)\"" } ?? "the document") is neither an array nor an object",
                advice: "--at takes a JSON pointer to the records, such as /data/items", status: .dataError)
        }
        let records = values.enumerated().map { position, value in
            LoadRecord(place: .init(record: position + 1, line: nil), value: value)
        }
        return LoadedRecords(records: records)
    }

    /// The records of a document that is not JSON as a whole, one by one.
    private static func records(of parts: [Range<Int>], _ content: [UInt8]) -> LoadedRecords {
        var result = LoadedRecords()
        for (position, range) in parts.enumerated() {
            let place = LoadRecord.Place(record: position + 1, line: nil)
            do {
                _ = try JSON(parsing: content[range])
                result.records.append(LoadRecord(place: place, text: RecordText(content, in: range)))
            } catch {
                let line = TextPlace(offset: range.lowerBound, in: content).line
                let place = LoadRecord.Place(record: position + 1, line: line)
                result.rejected.append(RejectedRecord(place: place, reason: "not JSON: \(error.reason)"))
            }
        }
        return result
    }

    private func records(in document: JSON) throws -> JSON {
        if let pointer {
            guard let value = document.value(at: pointer) else {
                throw ProgramError(
                    "\(path): there is nothing at \"\(pointer)\"",
                    advice: "--at takes a JSON pointer (RFC 6901)\(members(of: document))", status: .dataError)
            }
            return value
        }
        guard let object = document.objectValue else { return document }
        let arrays = object.members.filter { $0.value.arrayValue != nil }
        guard arrays.count == 1, let only = arrays.first else {
            throw ProgramError(
                "\(path) is an object, and it is not clear where its records are",
                advice: "say it with --at, such as --at /items\(members(of: document))", status: .dataError)
        }
        return only.value
    }

    private func members(of document: JSON) -> String {
        let names = document.objectValue?.members.prefix(8).map { "/\($0.name)" } ?? []
        return names.isEmpty ? "" : "; the document has " + names.joined(separator: ", ")
    }
}
