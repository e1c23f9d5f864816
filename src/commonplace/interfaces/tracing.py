"""OpenTelemetry traces, with the extra ``traces``: one span a request and one a verb.

A span carries names, counts, a status and the class of an error. It never carries a text, a query, a path or an
exception's message. Without OpenTelemetry nothing here does anything.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from functools import wraps
from typing import Any

from commonplace import __version__
from commonplace.book import Commonplace
from commonplace.errors import SettingsError
from commonplace.verbs import VERBS

try:
    from opentelemetry import propagate, trace
except ImportError:  # the extra is not installed
    AVAILABLE = False
else:
    AVAILABLE = True

App = Callable[..., Awaitable[None]]


def instrument(provider: Any = None) -> Callable[[], None]:
    """Make a span for each verb that is called in this process. Returns a function that stops it.

    ``provider`` is a tracer provider; default: the one that the program has set.
    """
    if not AVAILABLE:
        return lambda: None
    tracer = trace.get_tracer("commonplace", __version__, provider)
    originals = {name: vars(Commonplace)[name] for name in VERBS if callable(vars(Commonplace).get(name))}
    for name, method in originals.items():
        setattr(Commonplace, name, _with_span(tracer, name, method))

    def stop() -> None:
        for name, method in originals.items():
            setattr(Commonplace, name, method)

    return stop


def _with_span(tracer: Any, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def call(book: Commonplace, *arguments: Any, **keywords: Any) -> Any:
        # An exception's message and stack are left out; its class says enough.
        with tracer.start_as_current_span(
            f"commonplace.{name}", record_exception=False, set_status_on_exception=False
        ) as span:
            try:
                result = method(book, *arguments, **keywords)
            except Exception as fault:
                span.set_attribute("error.type", type(fault).__name__)
                span.set_status(trace.StatusCode.ERROR)
                raise
            if isinstance(result, list):
                span.set_attribute("commonplace.count", len(result))
            return result

    return call


class RequestSpans:
    """ASGI middleware: a span for each request, below the caller's if its headers name one."""

    def __init__(self, app: App, *, route: Callable[[Any], str]) -> None:
        self._app, self._route = app, route

    async def __call__(self, scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        parent = propagate.extract({name: headers[name] for name in ("traceparent", "tracestate") if name in headers})
        tracer = trace.get_tracer("commonplace", __version__)
        status = 0

        async def sending(message: MutableMapping[str, Any]) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        with tracer.start_as_current_span(
            scope["method"],
            context=parent,
            kind=trace.SpanKind.SERVER,
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            await self._app(scope, receive, sending)
            route = self._route(scope)
            span.update_name(f"{scope['method']} {route}")
            span.set_attributes(
                {"http.request.method": scope["method"], "http.route": route, "http.response.status_code": status}
            )
            if status >= 500:
                span.set_status(trace.StatusCode.ERROR)


def send_to(endpoint: str) -> None:
    """Send the spans of this process to a collector (OTLP over HTTP) and make one for each verb."""
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        raise SettingsError(
            "trace_endpoint needs the extra `traces`: pip install 'commonplace-memory[traces]'"
        ) from None
    resource = Resource.create({"service.name": "commonplace", "service.version": __version__})
    provider = TracerProvider(resource=resource)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint)))
    trace.set_tracer_provider(provider)
    instrument()
