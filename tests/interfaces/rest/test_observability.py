"""Traces and metrics: what they show, and that no memory's text is in them."""

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import httpx2
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


@pytest.fixture
def collector() -> Iterator[tuple[str, list[bytes]]]:
    """An address on loopback that takes spans as an OpenTelemetry collector does, and the bodies that came."""
    bodies: list[bytes] = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert self.path == "/v1/traces" and self.headers["Content-Type"] == "application/x-protobuf"
            bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *arguments: object) -> None: ...

    with HTTPServer(("127.0.0.1", 0), Collector) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v1/traces", bodies
        server.shutdown()
        thread.join()


def test_a_running_server_sends_its_spans_to_a_collector_and_logs_json_lines(collector, tmp_path):
    service = pytest.importorskip("opentelemetry.proto.collector.trace.v1.trace_service_pb2")
    endpoint, bodies = collector
    own = {"HOME": str(tmp_path), "TRACE_ENDPOINT": endpoint, "MAINTENANCE": "false"}
    server = subprocess.Popen(
        [sys.executable, "-m", "commonplace", "serve", "--port", "0"],
        env={**os.environ, **{f"COMMONPLACE_{name}": value for name, value in own.items()}},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        address = server.stdout.readline().split()[-1]
        token = (tmp_path / "server.token").read_text("utf-8").strip()
        with httpx2.Client(base_url=address, headers={"Authorization": f"Bearer {token}"}, timeout=60) as client:
            assert client.post("/v1/memories", json={"text": SECRET}).status_code == 201
            assert SECRET in client.post("/v1/recall", json={"query": SECRET}).text
    finally:
        server.terminate()
        log = server.communicate(timeout=60)[1]
    assert server.returncode == 0, log
    resources = [one for body in bodies for one in service.ExportTraceServiceRequest.FromString(body).resource_spans]
    names = {span.name for one in resources for scope in one.scope_spans for span in scope.spans}
    assert {"POST /v1/memories", "commonplace.remember", "POST /v1/recall", "commonplace.recall"} <= names
    services = {entry.value.string_value for one in resources for entry in one.resource.attributes}
    assert "commonplace" in services
    lines = [json.loads(line) for line in log.splitlines()]
    assert {"/v1/memories", "/v1/recall"} <= {line.get("route") for line in lines}
    assert b"Nineveh" not in b"".join(bodies) and "Nineveh" not in log


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
