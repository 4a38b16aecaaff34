"""Streams of views that begin, come back and end as a director's do, also where nobody has read the view before."""

import contextlib
import json
import re

import httpx
import pytest

from support.conformance import STEPS, Pair, Place, following, news, until_quiet
from test_views_conformance import FORMS, fresh, played, same

__all__ = ["fresh", "played"]
AT_ONCE = 40
NOTHING = r"(?!)"
# A view that has not been kept up knows of no animations of its source's versions.
ANIMATIONS = r'"animations":\{[^}]*\},'


def in_order(events: list[tuple]) -> list[tuple]:
    """The events of a stream, those of one director after those of another; of the ids, which tell of all, the last one."""
    directors = [json.loads(data).get("director", "") for _, _, data in events]
    if len(set(directors) - {""}) < 2:
        return events
    named = [(director, name, data) for director, (name, _, data) in zip(directors, events)]
    return [*sorted(named, key=lambda each: each[0]), "".join(sorted(events[-1][1].split(".")))]


def resume(http: httpx.Client, pairs: list[Pair], targets: list[tuple[str, dict]], but: str = "", apart: str = NOTHING) -> None:
    """Follows from ids, many at once, which is what one connection of HTTP/2 carries.

    `{0}` and `{1}` in a target stand for the names of the pairs' directors or views, `{0.epoch}` for their epochs. Events of the
    kind `but` of the view are left out, and what matches `apart` in both.
    """
    sides = [[Place(getattr(pair, side), pair.epochs[getattr(pair, side)]) for pair in pairs] for side in ("director", "view")]
    for some in (targets[start:start + AT_ONCE] for start in range(0, len(targets), AT_ONCE)):
        with contextlib.ExitStack() as stack:
            streams = [[stack.enter_context(following(http, path.format(*places), **{
                name: value.format(*places) for name, value in fields.items()})) for places in sides] for path, fields in some]
            for target, (directors, views) in zip(some, streams):
                wanted = [(name, last, re.sub(apart, "", data)) for name, last, data in until_quiet(directors)]
                found = [each for each in until_quiet(views) if each[0] != but]
                for pair in pairs:
                    found = [tuple(re.sub(apart, "", pair.alike(each)) for each in event) for event in found]
                assert in_order(found) == in_order(wanted), target


def test_every_id_is_resumed_as_at_the_director(played):
    http, pairs = played
    path = "/v1/directors/{0}/changesets"
    ids = [f"{{0.epoch}}-{version}" for version in range(len(STEPS) + 3)]
    ids += ["{0.epoch}-x", "{0.epoch}-99999999999999999999", "{0.epoch}"]
    targets = [(path + form, {"Last_Event_ID": each}) for each in ids for form in ("", *FORMS[2:])]
    targets += [(f"{path}?lastEventId={each}", {}) for each in ("nonsense", "zzzz-1", "-", "0-1", "{0.epoch}-9", "x.{0.epoch}-9")]
    for pair in pairs:
        resume(http, [pair], targets)


def test_several_are_followed_on_one_stream_as_directors_are(played):
    http, pairs = played
    path = "/v1/changesets?director={0}&director={1}"
    ids = ["{0.epoch}-9.{1.epoch}-14", "{1.epoch}-14.{0.epoch}-9", "{0.epoch}-1.{1.epoch}-17", "{1.epoch}-14", "{0.epoch}-9.x-1",
           "none"]
    gone = "/v1/changesets?director={0}&director=nobody"
    targets = [(path + form.replace("?", "&"), {}) for form in FORMS if "none" not in form]
    targets += [(gone, {"Last_Event_ID": "{0.epoch}-9"})]
    targets += [(path + form, {"Last_Event_ID": each}) for each in ids for form in ("", "&catchup=each")]
    resume(http, pairs, targets)
    for side in ("director", "view"):
        names = [getattr(pair, side) for pair in pairs]
        for query, status in [("", 400), (f"director={names[0]}&director=nobody", 404),
                              ("&".join(f"director={each}" for each in (*names, "s-picked", "nobody")), 422)]:
            answer = http.get(f"/v1/changesets?{query}", headers={"Accept": "text/event-stream"})
            assert answer.status_code == status, f"{query}: {answer.text}"


def test_streams_are_listed_and_end_as_those_of_directors(fresh):
    http, pairs = fresh
    pair = pairs[1]
    for way in ("closed", "deleted"):
        ended = []
        for name in (pair.director, pair.view):
            with following(http, f"/v1/directors/{name}/changesets") as stream:
                assert news(stream)[0] == "snapshot"
                (listed,) = http.get("/v1/streams", params={"director": name}).json()["streams"]
                ends = f"/v1/streams/{listed['id']}" if way == "closed" else f"/v1/directors/{name}"
                http.delete(ends).raise_for_status()
                told = [tuple(map(pair.alike, each)) for each in stream if each[0] != "heartbeat"]
                ended.append((told, pair.alike(json.dumps(listed["directors"])), listed["protocol"]))
        assert ended[0] == ended[1] and json.loads(ended[0][0][0][2])["reason"] == way
    path = "/v1/changesets?director={0}&director={1}"
    resume(http, pairs, [(path, {"Last_Event_ID": "{0.epoch}-1.{1.epoch}-1"})], but="definition")


# What a view answers that was not there, or was not read, while its source published what is asked for.
LATE = [
    "/sections?state=published&version=9", "/sections/people?state=published&version=9", "/elements?state=published&version=9",
    "/sections?state=published&version=99", "/changesets?from=9", "/changesets?from=9&to=17", "/changesets?from=99",
    "/changesets?since=17", "/changesets?since=99", "/sections?state=published&version=1", "/changesets?from=1",
    "/changesets?from=9&to=12", "/changesets?since=9",
]


@pytest.mark.parametrize("path", LATE)
def test_a_view_that_is_read_late_has_the_versions_of_its_source(played, path):
    http, pairs = played
    for number, pair in enumerate(pairs):
        late = Pair.make(http, f"l-read{number}", pair.director, pair.source)
        try:
            directors, views = ((status, fields, re.sub(ANIMATIONS, "", text)) for status, fields, text in late.ask(http, path))
            assert views == directors
        finally:
            http.delete(f"/v1/directors/{late.view}")


@pytest.mark.parametrize(("form", "apart"), [
    ("", NOTHING), ("?snapshot=reference", NOTHING), ("?catchup=each", ANIMATIONS),
], ids=["one", "a reference", "each"])
def test_a_view_that_is_followed_late_resumes_as_its_source_does(played, form, apart):
    http, pairs = played
    for number, pair in enumerate(pairs):
        late = Pair.make(http, f"l-stream{number}", pair.director, pair.source)
        targets = [("/v1/directors/{0}/changesets" + form, {"Last_Event_ID": f"{{0.epoch}}-{each}"}) for each in (1, 9, 17, 99)]
        try:
            resume(http, [late], targets, "definition", apart)
        finally:
            http.delete(f"/v1/directors/{late.view}")
