"""SQLite's write-ahead log as bytes: https://www.sqlite.org/fileformat2.html#walformat."""

import struct
from dataclasses import dataclass
from pathlib import Path

HEADER, FRAME_HEADER = 32, 24
MAGIC = 0x377F0682


@dataclass
class Frame:
    """One page as a transaction left it."""

    offset: int
    page: int
    is_commit: bool
    is_sound: bool


class WriteAheadLog:
    """The frames of a log, each with whether the sums are right up to and with it."""

    def __init__(self, path: Path):
        content = path.read_bytes()
        self.size = len(content)
        self.page_size = 0
        self.frames: list[Frame] = []
        self.is_header_sound = False
        if len(content) < HEADER:
            return
        magic, _, page_size, _, salt_1, salt_2, sum_1, sum_2 = struct.unpack(">8I", content[:HEADER])
        order = ">" if magic & 1 else "<"
        self.page_size = page_size
        running = sums(content[:24], (0, 0), order)
        self.is_header_sound = magic & ~1 == MAGIC and running == (sum_1, sum_2)
        if not self.is_header_sound:
            return
        is_sound, step = True, FRAME_HEADER + page_size
        for offset in range(HEADER, len(content) - step + 1, step):
            page, size, one, two, frame_1, frame_2 = struct.unpack(">6I", content[offset:offset + FRAME_HEADER])
            if (one, two) != (salt_1, salt_2):
                # What an earlier use of the file has left, or damage: the log ends here.
                is_sound = False
                continue
            if is_sound:
                running = sums(content[offset:offset + 8], running, order)
                running = sums(content[offset + FRAME_HEADER:offset + step], running, order)
                is_sound = running == (frame_1, frame_2)
            self.frames.append(Frame(offset, page, size > 0, is_sound))

    def transactions(self) -> list[list[Frame]]:
        """The frames of each complete transaction, in order."""
        result, current = [], []
        for frame in self.frames:
            if not frame.is_sound:
                break
            current.append(frame)
            if frame.is_commit:
                result.append(current)
                current = []
        return result

    def end_of_last_commit(self) -> int:
        """The size of the file up to and with the last complete transaction."""
        done = self.transactions()
        return done[-1][-1].offset + FRAME_HEADER + self.page_size if done else HEADER

    def damage(self) -> int | None:
        """Where the log is broken although it goes on behind; None where it is whole or merely ends too soon.

        A loss of power may leave any part of the one transaction that was not synced. So it is damage where frames of
        this use of the file follow on the end of the transaction that is broken: it had been synced before they came.
        """
        if self.size > HEADER and not self.is_header_sound:
            return 0
        broken = [frame for frame in self.frames if not frame.is_sound]
        ends = [index for index, frame in enumerate(broken) if frame.is_commit]
        if ends and ends[0] < len(broken) - 1:
            return broken[0].offset
        return None


def sums(content: bytes, before: tuple[int, int], order: str) -> tuple[int, int]:
    """The format's two running sums, over pairs of 32-bit words."""
    one, two = before
    words = struct.unpack(f"{order}{len(content) // 4}I", content)
    for index in range(0, len(words), 2):
        one = (one + words[index] + two) & 0xFFFFFFFF
        two = (two + words[index + 1] + one) & 0xFFFFFFFF
    return one, two
