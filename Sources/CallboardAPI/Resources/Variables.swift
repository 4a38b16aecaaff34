import Directors
import HTTPTypes
import JSONValues

extension Reading {
    func listVariables(_ call: Call) throws(Problem) -> Reply {
        try answer(call, tag: tag) { Reply(body: Coding.variables(director.working.variables)) }
    }

    func readVariable(_ call: Call) throws(Problem) -> Reply {
        guard let value = director.working.variables[call.parameters[1]] else {
            throw .notFound("There is no variable \(call.parameters[1].quoted).")
        }
        return try answer(call, tag: tag) { Reply(body: value.bytes) }
    }
}

extension Mutation {
    mutating func setVariable(_ call: Call) throws(Problem) -> Reply {
        let name = call.parameters[1]
        let value = try call.document().root.value
        let isNew = director.working.variables[name] == nil
        try perform(call, [.setVariable(name: name, value: value)], body: .value(at: "/value"), isThere: !isNew)
        return try answer(call) { _ in Reply(status: isNew ? .created : .ok, body: value.bytes) }
    }

    mutating func removeVariable(_ call: Call) throws(Problem) -> Reply {
        try perform(call, [.removeVariable(name: call.parameters[1])])
        return noContent()
    }
}
