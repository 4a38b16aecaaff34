import HashTreeCollections
import Notation

extension TreeDictionary where Key == Name {
    /// The value under a text, taken as a name.
    package subscript(text: String) -> Value? {
        get { self[Name(text)] }
        _modify { yield &self[Name(text)] }
    }
}
