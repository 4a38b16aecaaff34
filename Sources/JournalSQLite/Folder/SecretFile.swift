import Foundation
import Journal

extension DataFolder {
    /// The path of the file with the token that the first start makes.
    package var firstToken: String { (path as NSString).appendingPathComponent("first-token") }

    /// Writes a text and a line feed to a file of the folder that only its owner can read, in place of what is there.
    ///
    /// Blocks until it is on the disk. A file of the old name is replaced whole or not at all.
    package func write(secret text: String, to path: String) throws(JournalError) {
        let temporary = path + ".new"
        unlink(temporary)
        try PrivateFile.make(temporary)
        do {
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: temporary))
            try file.write(contentsOf: Data((text + "\n").utf8))
            try file.synchronize()
            try file.close()
        } catch {
            throw .unavailable("\(temporary) cannot be written: \(error.localizedDescription)")
        }
        guard rename(temporary, path) == 0 else {
            throw .unavailable("\(path) cannot be made: \(FolderLock.text(errno))")
        }
    }
}
