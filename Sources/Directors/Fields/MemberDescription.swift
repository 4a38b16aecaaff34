import JSONValues

/// The name, the meaning and the type of a resource's member.
package struct MemberDescription: Hashable, Sendable {
    /// The member's rules in a body.
    package enum Use: Hashable, Sendable {
        /// It may be there.
        case optional
        /// It has to be there.
        case required
        /// It may be there, as in what a read has answered, and is left aside.
        case leftAside
        /// It may not be there.
        case refused
    }

    /// The member's rules in an answer.
    package enum Presence: Hashable, Sendable {
        /// It is always there.
        case always
        /// It is there where there is something to say.
        case sometimes
        /// It is never there.
        case never
    }

    /// The name.
    package let name: String
    /// Its meaning, in a sentence.
    package let summary: String
    /// What an answer has.
    package let schema: JSONSchema
    /// What a body may have.
    package let bodySchema: JSONSchema
    /// Its rules in a body.
    package let use: Use
    /// Its rules in an answer.
    package let presence: Presence

    /// Describes a member; a body has what an answer has unless said otherwise.
    package init(
        _ name: String, _ schema: JSONSchema, body: JSONSchema? = nil, use: Use = .optional,
        presence: Presence = .always, _ summary: String = ""
    ) {
        self.name = name
        self.summary = summary
        self.schema = schema
        bodySchema = body ?? schema
        self.use = use
        self.presence = presence
    }

    /// The member as a merge patch may have it: it need not be there.
    package var patched: MemberDescription {
        MemberDescription(
            name, schema, body: bodySchema, use: use == .required ? .optional : use, presence: presence, summary)
    }

    /// The member as readers are told it beside something else: a body may have it, and it is left aside.
    var told: MemberDescription {
        MemberDescription(name, schema, body: .any, use: .leftAside, presence: .sometimes, summary)
    }

    func isPart(of side: JSONSchema.Side) -> Bool {
        side == .answer ? presence != .never : use != .refused
    }

    func isRequired(in side: JSONSchema.Side) -> Bool {
        side == .answer ? presence == .always : use == .required
    }

    func encodeSchema(on side: JSONSchema.Side, to writer: inout JSONWriter) {
        switch (side, use) {
        case (.answer, _): schema.encode(description: summary, to: &writer)
        case (.body, .leftAside): bodySchema.encode(isReadOnly: true, to: &writer)
        case (.body, _): bodySchema.encode(description: summary, to: &writer)
        }
    }
}
