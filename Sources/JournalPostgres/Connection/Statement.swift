/// A statement of SQL, prepared once on each connection that runs it.
struct Statement: Sendable {
    /// Its name on the server.
    let name: String
    let sql: String
    let types: [ValueType]

    /// Makes a statement with parameters of these types.
    init(_ name: String, _ types: [ValueType] = [], _ sql: String) {
        self.name = name
        self.types = types
        self.sql = sql
    }

    /// The statement with its parameters.
    func callAsFunction(_ parameters: Parameters = Parameters()) -> StatementCall {
        StatementCall(statement: self, parameters: parameters)
    }

    /// The statement with one parameter, a text.
    func callAsFunction(_ text: String) -> StatementCall {
        var parameters = Parameters()
        parameters.add(text)
        return self(parameters)
    }

    /// The statement with one parameter, an array of integers.
    func callAsFunction(_ numbers: [Int]) -> StatementCall {
        var parameters = Parameters()
        parameters.add(numbers)
        return self(parameters)
    }
}

/// A statement with its parameters.
struct StatementCall: Sendable {
    let statement: Statement
    let parameters: Parameters
}
