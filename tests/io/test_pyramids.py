"""Pyramids and peer annotations of DUC and TAC, in the layout that DUCView writes; the texts are our own."""

import gzip
import re

import numpy as np
import pytest

import gistmeter as gm
from gistmeter.errors import DataError
from gistmeter.example import Unit, UnitSpan
from gistmeter.io.pyramids import read_peer, read_pyramid
from gistmeter.io.runs import open_run

DTD = """<!DOCTYPE {root} [
 <!ELEMENT pyramid (startDocumentRegEx?,text,scu*)>
 <!ELEMENT text (line*)>
 <!ATTLIST scu uid CDATA #REQUIRED label CDATA #REQUIRED comment CDATA #IMPLIED>
]>
"""
# The offsets count characters of the lines joined by newlines: each header takes "----\n D1.A\n----\n", 17 of them.
PYRAMID = r"""<pyramid>
<startDocumentRegEx><![CDATA[[-]*\n D[0-9]*\.[A-Z]\n[-]*\n]]></startDocumentRegEx>
 <text>
  <line>----</line>
  <line> D1.A</line>
  <line>----</line>
  <line></line>
  <line>It rained &amp; snowed.</line>
  <line>Roads closed.</line>
  <line></line>
  <line>----</line>
  <line> D1.B</line>
  <line>----</line>
  <line>Rain fell.</line>
 </text>
 <scu uid="7" label="There was rain">
  <contributor label="It rained"><part label="It rained" start="17" end="26"/></contributor>
  <contributor label="Rain fell"><part label="Rain fell" start="68" end="77"/></contributor>
 </scu>
 <scu uid="9" label="Roads were closed">
  <contributor label="Roads closed"><part label="Roads closed" start="37" end="49"/></contributor>
 </scu>
 <scu uid="12" label="There was snow" comment="twice in A">
  <contributor label="snowed"><part label="snowed" start="29" end="35"/></contributor>
  <contributor label="snowed"><part label="snowed" start="29" end="35"/></contributor>
 </scu>
</pyramid>
"""
ANNOTATION = """<annotation>
 <text>
  <line>Rain and more rain.</line>
  <line>Trains were late, and a dog barked.</line>
 </text>
 <peerscu uid="7" label="(2) There was rain">
  <contributor label="Rain"><part label="Rain" start="0" end="4"/></contributor>
  <contributor label="more rain"><part label="more rain" start="9" end="18"/></contributor>
 </peerscu>
 <peerscu uid="9" label="(1) Roads were closed">
 </peerscu>
 <peerscu uid="12" label="(1) There was snow">
 </peerscu>
 <peerscu uid="0" label="All non-matching SCUs go here">
  <contributor label="Trains were late"><part label="Trains were late" start="20" end="36"/></contributor>
  <contributor label="a dog barked"><part label="a dog barked" start="42" end="54"/></contributor>
 </peerscu>
</annotation>
"""


def pyr(path, body=PYRAMID):
    path.write_text(f'<?xml version="1.0"?>\n{DTD.format(root="pyramid")}{body}', encoding="utf-8")
    return str(path)


def pan(path, body=PYRAMID + ANNOTATION):
    text = f'<?xml version="1.0"?>\n{DTD.format(root="peerAnnotation")}<peerAnnotation>\n{body}</peerAnnotation>\n'
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_the_offsets_of_the_sample_are_right():
    text = re.search("<text>(.*?)</text>", PYRAMID, re.DOTALL)[1].replace("&amp;", "&")
    joined = "\n".join(re.findall("<line>(.*?)</line>", text))
    parts = re.findall(r'<part label="(.*?)" start="(\d+)" end="(\d+)"', PYRAMID)
    assert [joined[int(start) : int(end)] for _, start, end in parts] == [label for label, _, _ in parts]


def test_a_pyramid(tmp_path):
    pyramid = read_pyramid(pyr(tmp_path / "D1.M.100.pyr"))
    assert pyramid.doc_id == "D1"
    assert pyramid.references == ("It rained & snowed.\nRoads closed.", "Rain fell.")
    # Two references state that it rained; that it snowed stands twice in one reference.
    assert pyramid.scus == {
        "7": Unit("There was rain", 2.0, 0, spans=(UnitSpan(0, 9, 0), UnitSpan(0, 9, 1))),
        "9": Unit("Roads were closed", 1.0, 1, spans=(UnitSpan(20, 32, 0),)),
        "12": Unit("There was snow", 1.0, 0, spans=(UnitSpan(12, 18, 0),)),
    }
    texts = [pyramid.references[span.reference][span.start : span.end] for unit in pyramid.units for span in unit.spans]
    assert texts == ["It rained", "Rain fell", "Roads closed", "snowed"]


def test_without_headers_contributors_are_counted(tmp_path):
    body = re.sub("<startDocumentRegEx>.*</startDocumentRegEx>", "", PYRAMID)
    pyramid = read_pyramid(pyr(tmp_path / "D1.pyr", body))
    assert pyramid.references == ()
    assert [unit.weight for unit in pyramid.units] == [2, 1, 2]
    assert pyramid.units[0].sentence is None


def test_a_peer(tmp_path):
    example = read_peer(pan(tmp_path / "D1.M.100.A.15.pan"))
    assert (example.doc_id, example.system) == ("D1", "15")
    assert example.summary == "Rain and more rain.\nTrains were late, and a dog barked."
    assert example.references == ("It rained & snowed.\nRoads closed.", "Rain fell.")
    assert [(unit.text, unit.weight, unit.present) for unit in example.units] == [
        ("There was rain", 2, True),
        ("Roads were closed", 1, False),
        ("There was snow", 1, False),
        ("Trains were late", 0, True),
        ("a dog barked", 0, True),
    ]
    in_summary = [span for unit in example.units for span in unit.spans if span.reference is None]
    assert [example.summary[span.start : span.end] for span in in_summary] == [
        "Rain",
        "more rain",
        "Trains were late",
        "a dog barked",
    ]


def test_parts_of_blank_and_indented_lines_keep_their_places(tmp_path):
    # The summary loses its blank line, a reference its indent; what lies beyond the text is left out.
    pyramid = PYRAMID.replace("<line>It rained", "<line>  It rained").replace(
        'start="17" end="26"', 'start="18" end="28"'
    )
    annotation = ANNOTATION.replace("<line>Rain and", "<line></line><line>Rain and").replace(
        'start="0" end="4"', 'start="0" end="5"'
    )
    annotation = annotation.replace('start="9" end="18"', 'start="900" end="918"')
    example = read_peer(pan(tmp_path / "D1.pan", pyramid + annotation))
    assert example.units[0].spans == (UnitSpan(0, 9, 0), UnitSpan(0, 7, 1), UnitSpan(0, 4))


def test_peers_are_a_run(tmp_path):
    peers = [pan(tmp_path / f"D1.{system}.pan") for system in ("15", "16")]
    scores = gm.score(peers, "pyramid,pyramid(normalise=original),litepyramid")
    # Present: the unit of weight 2. Modified: the references have 3 and 1 units, 2 on average, best 2 + 1.
    # Original: the summary has 3 units, best 2 + 1 + 1. LitePyramid: 2 of 4.
    assert scores.systems == ["15", "16"]
    np.testing.assert_allclose(scores.table.drop("doc_id", "system").to_numpy(), [[2 / 3, 2 / 4, 2 / 4]] * 2)


def test_a_peer_becomes_a_record_and_back(tmp_path):
    example = read_peer(pan(tmp_path / "D1.15.pan"))
    gm.write_run([example], tmp_path / "run.jsonl")
    assert gm.read_run(tmp_path / "run.jsonl") == [example]


def test_a_pyramid_is_joined_for_its_units_and_references(tmp_path):
    run = tmp_path / "run.jsonl"
    run.write_text('{"doc_id": "D1", "system": "a", "summary": "Rain.", "labels": [1, 0, 0]}\n')
    file = tmp_path / "D1.pyr.gz"
    file.write_bytes(gzip.compress(PYRAMID.encode()))
    (example,) = open_run([run], units=[file], references=[file]).examples()
    assert [unit.present for unit in example.units] == [True, False, False]
    assert len(example.references) == 2
    with pytest.raises(DataError, match=r"cannot join .* to a run of records: `documents=` must be"):
        open_run([run], documents=[file])


BOMB = '<!DOCTYPE pyramid [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><pyramid><text><line>&b;</line></text></pyramid>'
FETCH = '<!DOCTYPE pyramid [<!ENTITY a SYSTEM "file:///etc/hostname">]><pyramid><text><line>&a;</line></text></pyramid>'
OUTSIDE = '<!DOCTYPE pyramid SYSTEM "other.dtd"><pyramid><text><line>&a;</line></text></pyramid>'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<pyramid>\n<text></pyramid>", "line 2 of .*D1.pyr is not well-formed XML: mismatched tag"),
        ("", "line 1 of .*D1.pyr is not well-formed XML: no element found"),
        (BOMB, "line 1 of .*D1.pyr has the XML entity 'a': they are not read"),
        (FETCH, "has the XML entity 'a'"),
        (OUTSIDE, "has the XML entity 'a'"),
        ("<html/>", "D1.pyr has no `pyramid`: its root is `html`"),
        ("<pyramid/>", "the pyramid of .*D1.pyr has no units"),
        ('<pyramid><scu uid="1" label="a"/></pyramid>', "scu 1 of .*D1.pyr has no contributor"),
        ('<pyramid><scu uid="1" label=" "><contributor/></scu></pyramid>', "scu 1 of .*D1.pyr has no label"),
        ('<pyramid><scu label="a"><contributor/></scu></pyramid>', "D1.pyr has a unit with the uid ''"),
        (PYRAMID.replace('uid="9"', 'uid="7"'), "D1.pyr has two units with the uid '7'"),
        (PYRAMID.replace('start="37"', ""), "a contributor of scu 9 of .*D1.pyr has no part with a whole number"),
        (PYRAMID.replace("[[-]*", "[("), "startDocumentRegEx of .*D1.pyr is no regular expression"),
        (PYRAMID.replace("[[-]*", "[(-+)+x"), "startDocumentRegEx of .*D1.pyr matches none of its lines"),
        (PYRAMID.replace("[[-]*", "[x[-]*"), "startDocumentRegEx of .*D1.pyr matches none of its lines"),
        (
            PYRAMID.replace("[[-]*", r"[(-)\1"),
            "startDocumentRegEx of .*D1.pyr is no regular expression that can be run",
        ),
        (PYRAMID.replace("[[-]*", "[((-{1000}){1000}){1000}"), "startDocumentRegEx of .*D1.pyr is no regular expr"),
        (PYRAMID.replace('start="37"', f'start="{"9" * 5000}"'), "a contributor of scu 9 of .*D1.pyr has no part with"),
    ],
)
def test_a_wrong_pyramid_is_one_sentence(tmp_path, text, message):
    (tmp_path / "D1.pyr").write_text(text)
    with pytest.raises(DataError, match=message):
        read_pyramid(str(tmp_path / "D1.pyr"))


def test_a_wrong_peer_is_one_sentence(tmp_path):
    with pytest.raises(DataError, match=r"D1\.15\.pan has no `annotation`: is it a pyramid\? Give it with `units=`"):
        read_peer(pan(tmp_path / "D1.15.pan", PYRAMID))
    other = PYRAMID + ANNOTATION.replace('uid="9"', 'uid="90"')
    with pytest.raises(DataError, match="annotates the unit '90', which is not in its pyramid"):
        read_peer(pan(tmp_path / "D1.15.pan", other))


@pytest.mark.parametrize("pattern", [r"([-]+)+x", r"(.*)*x", "(-|-)+x", ".*.*.*.*.*.*x"])
def test_an_expression_that_backtracks_takes_no_longer(tmp_path, pattern):
    # 5,000 hyphens: Python's engine would try up to 2^5000 ways, or 5000^6, to find that no x follows.
    text = PYRAMID.replace("[-]*\\n D", pattern + "\\n D").replace("<line>----</line>", f"<line>{'-' * 5000}</line>", 1)
    (tmp_path / "D1.pyr").write_text(text)
    with pytest.raises(DataError, match="matches none of its lines"):
        read_pyramid(str(tmp_path / "D1.pyr"))


@pytest.mark.parametrize(
    "damage", [lambda packed: packed[:-12], lambda packed: packed[:40] + b"\x00" * 9 + packed[49:]]
)
def test_a_broken_gzip_file_is_one_sentence(tmp_path, damage):
    (tmp_path / "D1.pyr.gz").write_bytes(damage(gzip.compress(PYRAMID.encode())))
    with pytest.raises(DataError, match=r"cannot read .*D1\.pyr\.gz: it is no whole gzip file"):
        read_pyramid(str(tmp_path / "D1.pyr.gz"))
