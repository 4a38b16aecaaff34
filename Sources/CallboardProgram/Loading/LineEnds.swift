/// The line ends of a file: LF, CR LF, or CR alone where there is no LF.
enum LineEnds {
    /// The content with LF in place of CR where CR alone ends its lines.
    static func normalized(_ content: [UInt8]) -> [UInt8] {
        guard !content.contains(UInt8(ascii: "\n")), content.contains(UInt8(ascii: "\r")) else { return content }
        return content.map { $0 == UInt8(ascii: "\r") ? UInt8(ascii: "\n") : $0 }
    }
}
