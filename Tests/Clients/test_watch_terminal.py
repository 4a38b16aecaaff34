"""`watch` in a real terminal: keys, sizes, stops, and the terminal as it was."""

import signal
import termios

import pytest

from support.terminal import Terminal

LIST = "/v1/directors/long"


@pytest.fixture
def long(http):
    """A client of a server with a list of 200 elements in one section: 201 rows."""
    http.put(LIST, json={"kind": "table"})
    http.put(f"{LIST}/adapters/Row", json={"cell": "RowCell", "identifier": "{id}"})
    rows = [{"value": {"id": f"e{number:03}", "text": "row"}} for number in range(200)]
    http.post(f"{LIST}/sections", json={"id": "s", "elements": rows})
    http.post(f"{LIST}/reload")
    return http


def change(http, number: int, text: str) -> None:
    http.patch(f"{LIST}/sections/s/elements/e{number:03}?reload=true", json={"text": text})


@pytest.fixture
def window(program, server, long, tmp_path):
    """`watch` in a terminal of 20 rows, with the list in its window: 17 rows of it."""
    arguments = [program, "watch", "long", "--template", "{id} {text}", "--server", server.url]
    with Terminal(arguments, tmp_path) as terminal:
        terminal.shows("long  version 1", "e000 row", "e015 row", "rows 1-17 of 201")
        assert terminal.is_raw and terminal.screen.is_alternate and not terminal.screen.has_cursor
        yield terminal


def ended(window: Terminal, line: str = "shell: ended 0") -> None:
    """Waits for the program's end, and checks that everything of the terminal is as it was."""
    window.tells(line)
    window.until(lambda window: not window.screen.is_alternate and window.screen.has_cursor, "the window given back")
    assert window.settings == window.before


def test_keys_scroll(window, long):
    for keys, first in [
        (b"j", 2), (b"\x1b[B", 3), (b"k", 2), (b"\x1bOA", 1), (b"k", 1), (b"\x1b[6~", 17), (b"\x1b[5~", 1), (b"G", 185),
        (b"j", 185), (b"\x1b[H", 1), (b"\x1b[F", 185), (b"g", 1), (b"jjjjj", 6),
    ]:
        window.type(keys)
        window.shows(f"rows {first}-{first + 16} of 201, {first - 1} above, {201 - first - 16} below")
    window.type(b"q")
    ended(window)


def test_a_sequence_that_arrives_in_two_parts_is_one_key(window):
    page_down = b"\x1b[6~"
    for cut in (1, 2, 3):
        window.type(b"g")
        window.shows("rows 1-17 of 201")
        # Once the first key has scrolled, the first part is read as well.
        window.type(b"j" + page_down[:cut])
        window.shows("rows 2-18 of 201")
        window.type(page_down[cut:])
        window.shows("rows 18-34 of 201")
    window.type(b"q")
    ended(window)


def test_changes_while_scrolled(window, long):
    window.type(b"G")
    window.shows("e199 row", "rows 185-201 of 201")
    # One in view leaves the window where it is, one elsewhere brings itself into view, and a key leaves it again.
    change(long, 190, "new")
    window.shows("version 2", "~   e190 new", "e199 row", "rows 185-201 of 201")
    change(long, 50, "new")
    window.shows("version 3", "~   e050 new")
    window.type(b"g")
    window.shows("e000 row", "rows 1-17 of 201")
    # Its mark fades without bringing it back.
    window.resize(60, 10)
    window.shows("e000 row", "rows 1-7 of 201")
    window.type(b"q")
    ended(window)


def test_a_window_of_another_size_is_drawn_anew(window, long):
    window.type(b"G")
    window.shows("rows 185-201 of 201")
    window.resize(40, 30)
    window.shows("long  version 1", "e173 row", "e199 row", "rows 175-201 of 201")
    window.resize(20, 5)
    window.shows("long  version 1", "e173 row", "e174 row", "rows 175-176 of 201")
    window.signal(signal.SIGTERM)
    ended(window)


@pytest.mark.parametrize("way", ["q", "SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "deleted"])
def test_every_end_gives_the_terminal_back(window, long, way):
    match way:
        case "q": window.type(b"q")
        case "SIGINT": window.type(b"\x03")
        case "SIGQUIT": window.type(b"\x1c")
        case "deleted": long.delete(LIST)
        case _: window.signal(signal.Signals[way])
    ended(window)


@pytest.mark.parametrize("by", ["a key", "a signal"])
def test_a_stop_gives_the_terminal_to_the_shell_and_takes_it_back(window, long, by):
    window.type(b"\x1b[6~")
    window.shows("rows 17-33 of 201")
    for stop in (1, 2):
        window.type(b"\x1a") if by == "a key" else window.signal(signal.SIGTSTP)
        ended(window, f"shell: stopped {stop}")
        window.shell.send_signal(signal.SIGUSR1)
        window.until(lambda window: window.screen.is_alternate and window.is_raw, "the window")
        window.shows("long  version 1", "e015 row", "rows 17-33 of 201")
        assert not window.screen.has_cursor
    window.type(b"j")
    window.shows("rows 18-34 of 201")
    window.type(b"q")
    ended(window)


def test_in_the_background_the_terminal_is_left_to_the_shell(window):
    window.type(b"\x1a")
    ended(window, "shell: stopped 1")
    window.shell.send_signal(signal.SIGUSR2)
    ended(window, "shell: stopped 2")
    window.shell.send_signal(signal.SIGUSR1)
    window.until(lambda window: window.screen.is_alternate and window.is_raw, "the window")
    window.shows("rows 1-17 of 201")
    window.type(b"q")
    ended(window)


def test_settings_that_a_stop_has_changed_are_taken_again(window):
    window.signal(signal.SIGSTOP)
    window.tells("shell: stopped 1")
    termios.tcsetattr(window.slave, termios.TCSANOW, window.before)
    window.shell.send_signal(signal.SIGUSR1)
    window.until(lambda window: window.is_raw, "the keyboard")
    window.type(b"j")
    window.shows("rows 2-18 of 201")
    window.type(b"q")
    ended(window)
