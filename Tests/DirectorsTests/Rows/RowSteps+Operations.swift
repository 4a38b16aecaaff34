@testable import Directors

extension RowStepGenerator {
    mutating func operation() -> String {
        switch random.below(30) {
        case 0..<7:
            return random.chance(6)
                ? operation("removeVariable", "\"name\":\"\(pick("x", "y", "z", "h", "k"))\"")
                : setVariable(pick("x", "x", "y", "z", "h", "k"))
        case 7..<12: return sectionOperation()
        case 12..<19: return rowOperation()
        case 19..<21: return adapterOperation()
        default: return elementOperation()
        }
    }

    private mutating func sectionOperation() -> String {
        let named = "\"section\":\(sectionAddress())"
        switch random.below(14) {
        case 0: return operation("setSections", "\"sections\":[\(section("s")),\(section(pick("s", "t", "u")))]")
        case 1, 2:
            return operation(
                "addSections",
                "\"sections\":[\(section(pick("s", "t", "u")))]" + maybe(2) { "\"at\":" + $0.pick("0", "1") })
        case 3:
            let id = pick("s", "t", "u")
            return operation("setSection", "\"section\":\"\(id)\",\"value\":\(section(id))")
        case 4, 5:
            return operation(
                "patchSection",
                "\(named),\"patch\":{\"isCollapsed\":\(pick("true", "false")),\"headerTitle\":\(pick("\"H\"", "null", "\"G\""))}"
            )
        case 6:
            return operation("patchSection", "\(named),\"patch\":{\"footerTitle\":\(pick("\"F\"", "null", "\"\""))}")
        case 7: return operation("patchSection", "\(named),\"patch\":{\"id\":\"\(pick("s", "t", "u"))\"}")
        case 8: return operation("patchSection", "\(named),\"patch\":{\"rows\":\(random.chance(2) ? "null" : rows())}")
        case 9: return operation("patchSection", "\(named),\"patch\":{\"rows\":null,\"elements\":\(elements())}")
        case 10: return operation("removeSection", named)
        case 11: return operation("swapSections", "\"at\":\(sectionAddress()),\"with\":\(sectionAddress())")
        default: return operation("moveSection", "\"from\":\(sectionAddress()),\"to\":\(sectionAddress())")
        }
    }

    private mutating func rowOperation() -> String {
        let section = "\"section\":\(sectionAddress())"
        let named = "\(section),\"row\":\(rowAddress())"
        switch random.below(16) {
        case 0: return operation("setRows", "\(section),\"rows\":\(rows())")
        case 1, 2:
            return operation("addRows", "\(section),\"rows\":\(rows(1))" + maybe(2) { "\"at\":" + $0.rowAddress() })
        case 3:
            let id = pick("p", "q", "r")
            return operation("setRow", "\(section),\"row\":\"\(id)\",\"value\":\(row(id))")
        case 4: return operation("setRow", "\(named),\"value\":\(row(pick("p", "q", "r")))")
        case 5, 6, 7:
            let patch =
                switch random.below(8) {
                case 0: "\"hideWhen\":\(condition())"
                case 1: "\"height\":\(length())"
                case 2: "\"additionalConfig\":null,\"height\":null"
                case 3: "\"hideWhen\":null"
                case 4: "\"cell\":\"\(pick("C", "D"))\""
                case 5: "\"id\":\"\(pick("p", "q", "r"))\""
                case 6: "\"elements\":\(elements("A"))"
                default: "\"type\":\"constant\",\"model\":null,\"cell\":\"C\",\"elements\":null"
                }
            return operation("patchRow", "\(named),\"patch\":{\(patch)}")
        case 8: return operation("removeRow", named)
        case 9: return operation("removeRows", "\(section),\"at\":[\(rowAddress()),\(rowAddress())]")
        case 10: return random.chance(3) ? operation("removeAllRows", section) : operation("removeRow", named)
        case 11: return operation("swapRows", "\(section),\"at\":\(rowAddress()),\"with\":\(rowAddress())")
        default:
            return operation(
                "moveRow",
                "\(section),\"from\":\(rowAddress()),\"to\":\(rowAddress())"
                    + maybe(2) { "\"toSection\":" + $0.sectionAddress() })
        }
    }

    private mutating func elementOperation() -> String {
        let list = "\"section\":\(sectionAddress())" + (random.chance(6) ? "" : ",\"row\":\(rowAddress())")
        let named = "\(list),\"element\":\(elementAddress())"
        switch random.below(14) {
        case 0: return operation("setElements", "\(list),\"elements\":\(elements(pick("A", "A", "B")))")
        case 1, 2, 3:
            return operation(
                "addElements",
                "\(list),\"elements\":\(elements("A"))" + maybe(2) { "\"at\":\($0.random.below($0.most))" })
        case 4: return operation("setElement", "\(named),\"value\":\(element("A"))")
        case 5, 6, 7: return operation("patchElement", "\(named),\"patch\":{\"\(pick("n", "m"))\":\(random.below(3))}")
        case 8: return operation("removeElement", named)
        case 9: return operation("removeElements", "\(list),\"at\":[\(elementAddress()),\(elementAddress())]")
        case 10: return random.chance(3) ? operation("removeAllElements", list) : operation("removeElement", named)
        case 11: return operation("swapElements", "\(list),\"at\":\(elementAddress()),\"with\":\(elementAddress())")
        default:
            return operation(
                "moveElement",
                "\(list),\"from\":\(elementAddress()),\"to\":\(elementAddress())"
                    + maybe(3) { "\"toSection\":" + $0.sectionAddress() } + maybe(3) { "\"toRow\":" + $0.rowAddress() })
        }
    }

    private mutating func adapterOperation() -> String {
        let model = pick("A", "B")
        if random.chance(6) { return operation("removeAdapter", "\"model\":\"\(model)\"") }
        let members =
            maybe(2) { "\"content\":" + $0.pick("[\"/n\"]", "[]", "null") }
            + maybe(5) { _ in "\"identifier\":\"{id}{n}\"" }
        return operation(
            "setAdapter", "\"model\":\"\(model)\",\"value\":{\"cell\":\"\(pick("ACell", "BCell"))\"\(members)}")
    }
}
