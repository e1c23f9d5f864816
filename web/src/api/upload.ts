import { search, type Params } from "../router";
import { namespace, token } from "../session";
import { Problem, Unreachable } from "./client";

/** Send a file and say how far it got. XMLHttpRequest, because fetch does not tell. */
export function upload<T>(path: string, file: Blob, query: Params, progress: (share: number) => void): Promise<T> {
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    const asked = new URLSearchParams(search({ namespace: namespace.get(), ...query }));
    // `false` must be said here: the server's default is to look only.
    for (const [name, value] of Object.entries(query)) if (value === false) asked.set(name, "false");
    request.open("POST", `${path}?${asked.toString()}`);
    request.setRequestHeader("Authorization", `Bearer ${token.get() ?? ""}`);
    request.setRequestHeader("Content-Type", "application/x-ndjson");
    request.setRequestHeader("Idempotency-Key", crypto.randomUUID());
    request.upload.onprogress = (event) => event.lengthComputable && progress(event.loaded / event.total);
    request.onerror = () => fail(new Unreachable(path));
    request.onload = () => {
      let body: Record<string, unknown> = {};
      try {
        body = JSON.parse(request.responseText) as Record<string, unknown>;
      } catch {
        // the status says enough
      }
      if (request.status < 300) done(body as T);
      else fail(new Problem(request.status, String(body.title ?? request.statusText), String(body.detail ?? ""), body));
    };
    request.send(file);
  });
}
