// The official TypeScript client connects: prints the address a person must visit, reads the address they were sent
// back to, then saves and recalls; with its access token gone it must get on by its refresh token.
import { createInterface } from "node:readline";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [url, redirect] = process.argv.slice(2);
const stored = {};
const provider = {
  redirectUrl: redirect,
  clientMetadata: { client_name: "TypeScript", redirect_uris: [redirect], token_endpoint_auth_method: "none" },
  clientInformation: () => stored.client,
  saveClientInformation: (client) => void (stored.client = client),
  tokens: () => stored.tokens,
  saveTokens: (tokens) => void (stored.tokens = tokens),
  saveCodeVerifier: (verifier) => void (stored.verifier = verifier),
  codeVerifier: () => stored.verifier,
  redirectToAuthorization: (address) => console.log(address.href),
};

async function connected() {
  const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: provider });
  const client = new Client({ name: "test", version: "1" });
  try {
    await client.connect(transport);
  } catch (fault) {
    if (!(fault instanceof UnauthorizedError)) throw fault;
    const back = await new Promise((resolve) => createInterface({ input: process.stdin }).once("line", resolve));
    await transport.finishAuth(new URL(back).searchParams.get("code"));
    return connected();
  }
  return client;
}

const client = await connected();
await client.callTool({ name: "memory_memorize", arguments: { text: "Ada plays chess" } });
const first = stored.tokens;
stored.tokens = { ...first, access_token: "cpo_expired" };
const answer = await client.callTool({ name: "memory_recall", arguments: { query: "chess" } });
const tools = (await client.listTools()).tools.map((tool) => tool.name);
console.log(JSON.stringify({ tools, text: answer.content[0].text, rotated: stored.tokens.refresh_token !== first.refresh_token }));
process.exit(0);
