# The server: REST, MCP and the page, on a SQLite book in a volume or on PostgreSQL.
FROM node:22-slim AS page
WORKDIR /build/web
COPY web/ ./
RUN npm "$(test -f package-lock.json && echo ci || echo install)" --no-audit --no-fund && npm run build

FROM python:3.12-slim AS build
WORKDIR /build
COPY pyproject.toml constraints.txt hatch_build.py README.md LICENSE NOTICE ./
COPY src/ src/
COPY --from=page /build/src/commonplace/interfaces/web/static/ src/commonplace/interfaces/web/static/
ARG COMMONPLACE_COMMIT=
RUN python -m venv /app && /app/bin/pip install --no-cache-dir -c constraints.txt ".[server,postgres,metrics]"

FROM python:3.12-slim
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin commonplace \
 && install -d -o commonplace -g commonplace -m 0700 /data
COPY --from=build /app /app
ENV PATH="/app/bin:$PATH" \
    PYTHONUNBUFFERED=1 \
    COMMONPLACE_HOME=/data \
    COMMONPLACE_HOST=0.0.0.0 \
    COMMONPLACE_PORT=8765
USER 10001
VOLUME /data
EXPOSE 8765
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8765/readyz', timeout=4)"]
STOPSIGNAL SIGTERM
CMD ["commonplace", "serve"]
