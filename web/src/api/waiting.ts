import { call } from "./client";
import { useResource, type Resource } from "./query";
import type { Page, Waiting } from "./types";

/** The oldest suggestions to review: for the badge of the menu and for Home, which say the same number. */
export const useWaiting = (): Resource<Page<Waiting>> => useResource("review/first", (signal) => call<Page<Waiting>>("GET", "/v1/review", { query: { limit: 3 }, signal }), ["memory"]);
