import JSONValues

extension BatchWork {
    /// The cost of one operation.
    struct Price {
        /// The units of its work, besides reading elements.
        var units = BatchWork.operation
        /// The units of reading the elements that it brings in.
        var reading = 0
        /// The pointer of the member that causes the cost.
        var pointer = ""
        /// Whether it writes the value of one element anew, which is counted once it is known; see `add(patched:)`.
        var rewritesElement = false
    }

    /// The cost of an operation.
    ///
    /// Every operation stands here: what a new one costs beyond its own text is said before it can be performed. An
    /// operation that brings nothing in costs a few steps down a list: texts that stay are not copied.
    static func price(of operation: Operation, on director: Director) -> Price {
        let adapters = director.adapters
        switch operation {
        case .sections(let edit):
            switch edit.incoming {
            case .items(let drafts):
                return reading(drafts.reduce(0) { $0 + adapters.units(reading: $1) }, "/sections")
            case .item(let draft): return reading(adapters.units(reading: draft), "/value")
            case .patch(let patch, _):
                return reading(adapters.units(readingSection: patch.value.document.root), "/patch")
            case .nothing: return Price()
            }
        case .rows(let section, let edit):
            switch edit.incoming {
            case .items(let drafts): return reading(drafts.reduce(0) { $0 + adapters.units(reading: $1) }, "/rows")
            case .item(let draft): return reading(adapters.units(reading: draft), "/value")
            case .patch(let patch, let address):
                return price(patching: try? director.working.list.row(at: address, in: section).row, patch, adapters)
            case .nothing: return Price()
            }
        case .elements(_, let edit):
            switch edit.incoming {
            case .items(let drafts): return reading(adapters.units(reading: drafts), "/elements")
            case .item(let draft): return reading(adapters.units(reading: [draft]), "/value")
            case .patch: return Price(rewritesElement: true)
            case .nothing: return Price()
            }
        case .newSection(_, let drafts, _): return reading(adapters.units(reading: drafts), "/elements")
        // An adapter that takes elements over is counted with what they hold.
        case .setAdapter(let adapter):
            return Price(units: Self.operation + units(adopting: adapter, on: director), pointer: "/value")
        case .removeAdapter:
            let count = director.working.list.elementCount + director.published.list.elementCount
            return Price(units: Self.operation + scannedElement * count, pointer: "/model")
        case .setVariable, .removeVariable: return Price()
        }
    }

    private static func reading(_ units: Int, _ pointer: String) -> Price {
        Price(reading: units, pointer: units > 0 ? pointer : "")
    }

    /// The price of a row's patch: members outside of the patch cost nothing.
    private static func price(patching row: Row?, _ patch: ValueDraft, _ adapters: AdapterRegistry) -> Price {
        let root = patch.value.document.root
        var price = Price(reading: adapters.units(readingPatch: root, of: row), pointer: "/patch")
        guard let values = row?.settings.values else { return price }
        if root["value"] != nil { price.units += patchedByte * (values.value?.bytes.count ?? 0) }
        if root["additionalConfig"] != nil {
            price.units += templateByte * (values.additionalConfig?.source.bytes.count ?? 0)
        }
        return price
    }
}
