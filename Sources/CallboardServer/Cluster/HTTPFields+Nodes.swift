import HTTPTypes

// The names are tokens written here: the initialiser fails for nothing else, and a typing error would trap in every test.
// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
    /// A node's message to another one.
    static let callboardMessage = Self("Callboard-Message")!
    /// A node's answer to another one.
    static let callboardAnswer = Self("Callboard-Answer")!
    /// Signs what a node says or answers.
    static let callboardSignature = Self("Callboard-Signature")!
    /// The message field of nodes of the earlier version.
    static let callboardRequest = Self("Callboard-Request")!
    /// Says to a node of the earlier version that its request was not carried out.
    static let callboardStranger = Self("Callboard-Stranger")!
}
