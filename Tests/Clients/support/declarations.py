"""The public declarations of Swift sources, read as far as a page of names needs them."""

import re
from pathlib import Path

_TYPE = r"(?P<kind>class|struct|enum|protocol|actor|extension)\s+(?P<type>[A-Z][\w.]*)(?P<head>[^{}]*)\{"
_MEMBER = r"(?P<member>var|let|func|init|subscript|typealias|case)\b\s*`?(?P<name>\w*)`?"
_WORDS = r"(?P<words>(?:\b(?:public|open|package|internal|private|fileprivate|static|final|override|convenience|required|weak" \
    r"|lazy|mutating|indirect|nonisolated|dynamic)\b(?:\([a-z]+\))?\s+)*)"
_TOKEN = re.compile(rf"\{{|\}}|{_WORDS}(?:{_TYPE}|{_MEMBER})")
_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|"""(?:\\.|[^\\])*?"""|"(?:\\\((?:[^()"]|\([^()]*\)|"[^"]*")*\)|\\.|[^"\\\n])*"', re.S)


class Declarations:
    """Types with their members, such as `add(_:at:)`, and what they inherit."""

    def __init__(self, *folders: Path):
        self.members: dict[str, set[str]] = {}
        self._bases: dict[str, set[str]] = {}
        for folder in folders:
            for file in sorted(folder.rglob("*.swift")):
                self._read(_TEXT.sub(lambda text: '""' if text.group().startswith('"') else "", file.read_text()))

    def has(self, name: str) -> bool:
        """Whether there is a type or a member of this name; a member may be given without its labels."""
        if name in self.members:
            return True
        path, _, member = name.partition("(")[0].rpartition(".")
        labels = name[len(path) + 1:]
        return any(labels == known or member == labels == known.partition("(")[0] for known in self._of(path))

    def _of(self, path: str, seen: frozenset[str] = frozenset()) -> set[str]:
        """The members of a type, those of its bases too."""
        found = set(self.members.get(path, ()))
        for base in self._bases.get(path, set()) - seen:
            found |= self._of(base, seen | {path})
        return found

    def _read(self, text: str) -> None:
        depth, around = 0, []
        for token in _TOKEN.finditer(text):
            if token.group() == "{":
                depth += 1
            elif token.group() == "}":
                depth -= 1
                if around and around[-1][1] == depth:
                    around.pop()
            elif token["type"]:
                kind, outer = token["kind"], around[-1] if around else ("", 0, "", True)
                name = token["type"] if kind == "extension" or not outer[0] else f"{outer[0]}.{token['type']}"
                is_public = kind == "extension" or bool(re.search(r"\b(public|open)\b", token["words"]))
                if is_public and kind != "extension":
                    self.members.setdefault(name, set())
                head = re.sub(r"^\s*<.*?>(?=\s*(?::|where\b|$))", "", token["head"], flags=re.S)
                if bases := re.match(r"\s*:(.*?)(?:\bwhere\b|$)", head, re.S):
                    self._bases.setdefault(name, set()).update(re.findall(r"[A-Z][\w.]*", bases.group(1)))
                around.append((name, depth, kind, is_public))
                depth += 1
            elif around and depth == around[-1][1] + 1:
                self._member(text, token, *around[-1])
            elif not around and token["member"] == "typealias" and "public" in token["words"]:
                alias = re.match(r"[^=]*=\s*([A-Z]\w*)", text[token.end():])
                self.members.setdefault(token["name"], set())
                if alias:
                    self._bases.setdefault(token["name"], set()).add(alias.group(1))

    def _member(self, text: str, token: re.Match, owner: str, _: int, kind: str, is_public: bool) -> None:
        implied = kind == "protocol" or token["member"] == "case" and kind == "enum"
        if not (implied and is_public or re.search(r"\b(public|open)\b", token["words"])):
            return
        members = self.members.setdefault(owner, set())
        if token["member"] == "case":
            line = re.match(r"[^\n]*", text[token.start():]).group().strip().removeprefix("case")
            members.update(re.findall(r"\w+", re.sub(r"\([^)]*\)|=[^,]*", "", line.removeprefix("indirect case"))))
        elif token["member"] == "subscript":
            members.add("subscript")
        elif token["member"] == "init" or token["member"] == "func" and token["name"]:
            members.add((token["name"] or "init") + _labels(text, token.end()))
        elif token["name"]:
            members.add(token["name"])


def _labels(text: str, start: int) -> str:
    """The labels of the parameters that begin behind a place, such as `(_:at:)`."""
    start = text.index("(", start)
    depth, angles, begin, labels = 0, 0, start + 1, []
    for place in range(start, len(text)):
        sign, before = text[place], text[place - 1]
        angles += (sign == "<" and before.isalnum()) - (sign == ">" and before != "-" and angles > 0)
        depth += (sign in "([{") - (sign in ")]}")
        if depth == 0 or depth == 1 and not angles and sign == ",":
            parameter = re.sub(r"@\w+(\([^)]*\))?", "", text[begin:place]).strip()
            labels += [re.match(r"\w+", parameter).group() + ":"] if parameter else []
            begin = place + 1
        if depth == 0:
            return f"({''.join(labels)})"
    raise ValueError("parameters without an end")
