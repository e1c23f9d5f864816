// The client in a runtime that has web standards and nothing of Node.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import vm from "node:vm";

import { EdgeVM } from "@edge-runtime/vm";

const dist = new URL("../dist/", import.meta.url);

async function load(context, name) {
  const modules = new Map();
  const module = async (url) => {
    if (!modules.has(url.href)) {
      const code = await readFile(url, "utf8");
      modules.set(url.href, new vm.SourceTextModule(code, { context, identifier: url.href }));
    }
    return modules.get(url.href);
  };
  const entry = await module(new URL(name, dist));
  await entry.link((specifier, parent) => module(new URL(specifier, parent.identifier)));
  await entry.evaluate();
  return entry.namespace;
}

test("it works without Node's globals", async () => {
  const edge = new EdgeVM();
  assert.equal(edge.evaluate("[typeof process, typeof Buffer, typeof require].join()"), "undefined,undefined,undefined");
  const { Commonplace, CommonplaceError } = await load(edge.context, "index.js");
  const { COMMONPLACE_URL: url, COMMONPLACE_TOKEN: token } = process.env;
  const book = new Commonplace({ url, token }).within("edge");
  const { id } = await book.remember("Ada reads at the edge");
  assert.equal((await book.recall("where does Ada read?"))[0].memory.id, id);
  await assert.rejects(book.get("nothing"), (error) => error instanceof CommonplaceError && error.name === "NotFound");
  const stop = new AbortController();
  let opened;
  const open = new Promise((resolve) => (opened = resolve));
  const feed = book.feed.follow({ signal: stop.signal, onOpen: opened });
  const change = feed.next();
  await open;
  await book.remember("Ada writes at the edge");
  assert.equal((await change).value.operation.length > 0, true);
  await feed.return();
});
