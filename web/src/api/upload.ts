import { search, type Params } from "../router";
import { namespace } from "../session";
import { credentials, problem, Unreachable } from "./client";

/** Send a file and report progress. XMLHttpRequest, because fetch reports none for uploads. */
export function upload<T>(path: string, file: Blob, query: Params, onProgress: (share: number) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const parameters = new URLSearchParams(search({ namespace: namespace.get(), ...query }));
    // `search` leaves out `false`, but here it differs from the server's default.
    for (const [name, value] of Object.entries(query)) if (value === false) parameters.set(name, "false");
    request.open("POST", `${path}?${parameters.toString()}`);
    for (const [name, value] of Object.entries(credentials())) request.setRequestHeader(name, value);
    request.setRequestHeader("Content-Type", "application/x-ndjson");
    request.setRequestHeader("Idempotency-Key", crypto.randomUUID());
    request.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total);
    request.onerror = () => reject(new Unreachable(path));
    request.onload = () => {
      let body: Record<string, unknown> = {};
      try {
        body = JSON.parse(request.responseText) as Record<string, unknown>;
      } catch {
        // The status says enough.
      }
      if (request.status < 300) resolve(body as T);
      else reject(problem(request.status, request.statusText, body));
    };
    request.send(file);
  });
}
