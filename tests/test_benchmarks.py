"""The report that ``make bench-all`` writes, in its quick slice, and the public datasets it can read."""

import json
import re
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from benchmarks import report

from commonplace.errors import Invalid
from commonplace.testing.quality import measure, samples

ROOT = Path(__file__).parents[1]
NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")

LONGMEMEVAL = [
    {
        "question_id": "q1",
        "question_type": "single-session-user",
        "question": "Where did I plant the damson?",
        "answer": "by the fence",
        "question_date": "2023/06/01 (Thu) 10:00",
        "haystack_session_ids": ["s1", "s2"],
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 09:05"],
        "haystack_sessions": [
            [
                {"role": "user", "content": "I planted a damson by the fence.", "has_answer": True},
                {"role": "assistant", "content": "Water it well in the first summer."},
            ],
            [{"role": "user", "content": "The kiln reached 1,200 degrees."}],
        ],
        "answer_session_ids": ["s1"],
    },
    {
        "question_id": "q2_abs",
        "question_type": "multi-session",
        "question": "What is my sister called?",
        "answer": "You did not say.",
        "question_date": "2023/06/01 (Thu) 10:00",
        "haystack_session_ids": ["s1"],
        "haystack_dates": ["2023/05/20 (Sat) 02:21"],
        "haystack_sessions": [[{"role": "user", "content": "The ferry leaves at nine."}]],
        "answer_session_ids": [],
    },
]

BEAM_CHAT = [
    {
        "batch_number": 1,
        "turns": [
            [
                {"role": "user", "id": 0, "content": "The sprint ends on March 29.", "time_anchor": "March-15-2024"},
                {"role": "assistant", "id": 1, "content": "Plan the login first."},
            ],
            [{"role": "user", "id": 2, "content": "The sprint now ends on April 2.", "time_anchor": "March-20-2024"}],
        ],
    }
]
BEAM_QUESTIONS = {
    "abstention": [{"question": "How old am I?", "rubric": []}],
    "knowledge_update": [
        {"question": "When does the sprint end?", "source_chat_ids": {"original_info": [0], "updated_info": [2]}}
    ],
}


@pytest.fixture
def longmemeval(tmp_path: Path) -> Path:
    file = tmp_path / "longmemeval_oracle.json"
    file.write_text(json.dumps(LONGMEMEVAL), encoding="utf-8")
    return file


@pytest.fixture
def beam(tmp_path: Path) -> Path:
    folder = tmp_path / "chats" / "100K" / "1"
    (folder / "probing_questions").mkdir(parents=True)
    (folder / "chat.json").write_text(json.dumps(BEAM_CHAT), encoding="utf-8")
    (folder / "probing_questions" / "probing_questions.json").write_text(json.dumps(BEAM_QUESTIONS), encoding="utf-8")
    return folder.parent


def test_longmemeval_is_read_with_its_dates_and_evidence(longmemeval, open_book):
    first, second = samples(longmemeval)
    assert first["conversation"]["session_2_date_time"] == "09:05 AM on 21 May, 2023"
    assert first["qa"] == [
        {"question": "Where did I plant the damson?", "category": "single-session-user", "evidence": ["D1:1"]}
    ]
    assert second["qa"][0]["evidence"] == []
    figures = measure(longmemeval, open_book().within, ["balanced"], progress=print)["balanced"]
    assert (figures["all"].questions, figures["all"].recall_5) == (1, 1.0)


def test_beam_is_read_from_its_folders_and_from_rows(beam, tmp_path, open_book):
    (sample,) = samples(beam)
    assert [len(sample["conversation"][f"session_{number}"]) for number in (1, 2)] == [2, 1]
    assert sample["conversation"]["session_2_date_time"].endswith("20 March, 2024")
    assert sample["qa"][1]["evidence"] == ["D1:1", "D2:1"]
    table = tmp_path / "100K.json"
    # The published tables hold the questions as a Python literal.
    table.write_text(
        json.dumps([{"conversation_id": "1", "chat": [BEAM_CHAT], "probing_questions": repr(BEAM_QUESTIONS)}]), "utf-8"
    )
    assert samples(table) == [sample]
    figures = measure(beam, open_book().within, ["balanced"], progress=print)["balanced"]
    assert figures["knowledge_update"].recall_5 == 1.0


def test_a_file_of_another_form_is_refused(tmp_path):
    file = tmp_path / "other.json"
    file.write_text(json.dumps([{"text": "no conversation"}]), encoding="utf-8")
    with pytest.raises(Invalid, match="not a list of conversations"):
        samples(file)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="it kills processes with SIGKILL")
@pytest.mark.one_engine("the report measures SQLite")
def test_the_report_has_every_section_with_its_command_and_draws_the_charts(longmemeval, tmp_path, capsys):
    written = tmp_path / "report"
    docs = tmp_path / "docs"
    report.main(["--quick", "--data", str(longmemeval), "--write", str(written), "--charts", str(docs)])
    assert not docs.exists(), "a slice must not become a chart of the documentation"
    content = json.loads((written / "report.json").read_text("utf-8"))
    text = (written / "report.md").read_text("utf-8")
    assert list(content["sections"]) == list(report.SECTIONS)
    assert content["machine"]["cores"] and content["version"] and "Do not quote" in text
    for name, (title, _) in report.SECTIONS.items():
        assert f"## {title}" in text
        assert f"`python -m benchmarks.report --only {name} --quick" in text
    assert content["sections"]["torture"]["figures"]["writers killed at random"]["broken promises"] == 0
    for drawing in ("speed.svg", "quality.svg", "forgetting.svg"):
        assert ET.parse(written / drawing).getroot().tag.endswith("svg")


def test_the_page_of_comparisons_holds_figures_that_were_measured():
    """Each number in its tables is one of benchmarks/results, rounded."""
    results = " ".join(path.read_text("utf-8") for path in sorted((ROOT / "benchmarks/results").glob("*.md")))
    measured = {float(number.replace(",", "")) for number in NUMBER.findall(results)}
    rows = [line for line in (ROOT / "docs/compared.md").read_text("utf-8").splitlines() if line.startswith("|")]
    assert len(rows) >= 20
    invented = [number for row in rows for number in NUMBER.findall(row) if not near(number, measured)]
    assert invented == []
    assert not near("314.2", measured), "the control"


def near(number: str, measured: set[float]) -> bool:
    places = len(number.partition(".")[2])
    value = float(number.replace(",", ""))
    return any(abs(figure - value) <= 0.5 * 10**-places + 1e-9 for figure in measured)
