"""Traces and metrics: what they show, and that no memory's text is in them."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from commonplace.interfaces import tracing

DASHBOARD = Path(__file__).parents[3] / "deploy" / "grafana.json"
SECRET = "quinquereme of Nineveh"


@pytest.fixture
def spans(monkeypatch):
    """The spans of verbs and requests in this process."""
    pytest.importorskip("opentelemetry.sdk")
    from opentelemetry import trace
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", provider)
    stop = tracing.instrument()
    yield exporter
    stop()


def test_a_request_has_a_span_below_its_callers_and_its_verbs_below_it(site, spans):
    ada = site.caller()
    caller = "0af7651916cd43dd8448eb211c80319c"
    ada.remember(SECRET)
    spans.clear()
    answer = ada("POST", "/v1/recall", {"query": SECRET}, traceparent=f"00-{caller}-b7ad6b7169203331-01")
    assert SECRET in answer.text
    (recall,) = [span for span in spans.get_finished_spans() if span.name == "commonplace.recall"]
    (request,) = [span for span in spans.get_finished_spans() if span.name == "POST /v1/recall"]
    assert f"{request.context.trace_id:032x}" == caller == f"{recall.context.trace_id:032x}"
    assert recall.parent.span_id == request.context.span_id
    assert request.attributes["http.response.status_code"] == 200
    assert recall.attributes["commonplace.count"] == 1
    ada("GET", f"/v1/memories/{SECRET}")
    written = " ".join(span.to_json() for span in spans.get_finished_spans())
    assert "GET /v1/memories/{id}" in written
    assert "Nineveh" not in written and "quinquereme" not in written


def test_a_failed_verb_names_the_error_and_not_its_message(book, spans):
    with pytest.raises(Exception, match=r"."):
        book.get(SECRET)
    (span,) = spans.get_finished_spans()
    assert (span.name, span.status.status_code.name) == ("commonplace.get", "ERROR")
    assert span.attributes["error.type"] and not span.events
    assert "Nineveh" not in span.to_json()


def test_without_opentelemetry_the_book_works_and_asking_for_traces_says_what_to_install():
    program = """if True:
        import sys
        sys.modules["opentelemetry"] = None
        from commonplace.interfaces import tracing
        assert not tracing.AVAILABLE
        tracing.instrument()()
        try:
            tracing.send_to("http://127.0.0.1:4318/v1/traces")
        except tracing.SettingsError as fault:
            print(fault)
    """
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "commonplace-memory[traces]" in run.stdout


def test_the_web_framework_records_nothing_of_its_own(site, spans):
    """FastAPI would write bodies, paths and exception messages to whatever provider the program has set."""
    plain = FastAPI()
    plain.get("/seen")(lambda: "yes")
    TestClient(plain).get("/seen")
    assert spans.get_finished_spans(), "the control: FastAPI as it comes does write spans"
    spans.clear()
    site.caller()("POST", "/v1/recall", {"query": {"wrong": SECRET}})
    names = {span.name for span in spans.get_finished_spans()}
    assert names == {"POST /v1/recall"}


def test_the_dashboard_asks_for_metrics_and_labels_that_the_server_shows(site):
    parser = pytest.importorskip("prometheus_client.parser")
    admin = site.caller(scope="admin")
    admin.remember(SECRET)
    text = admin("GET", "/metrics").text
    assert "Nineveh" not in text
    labels: dict[str, set[str]] = {}
    for family in parser.text_string_to_metric_families(text):
        for sample in family.samples:
            labels.setdefault(sample.name, set()).update(sample.labels)
    board = json.loads(DASHBOARD.read_text("utf-8"))
    queries = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    assert queries
    for query in queries:
        (name,) = set(re.findall(r"commonplace_\w+", query))
        used = {label for group in re.findall(r"by \(([\w, ]+)\)", query) for label in group.split(", ")}
        used |= set(re.findall(r"[{,]\s*(\w+)\s*(?:=|!)", query))
        assert used <= labels[name], query
