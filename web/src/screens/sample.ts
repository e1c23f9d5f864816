/** Sample data: an invented person, in a namespace of its own that can be removed in one click. */
import { call, part } from "../api/client";
import type { Receipt } from "../api/types";

export const SAMPLE = "sample";

const MEMORIES: [text: string, category: string, tags: string[]][] = [
  ["Maya Lindqvist builds greenhouse sensors in Malmö.", "fact", ["work"]],
  ["Maya prefers night trains to planes for anything under ten hours.", "preference", ["travel"]],
  ["Maya is allergic to walnuts.", "fact", ["health"]],
  ["Answers should be short, with the command first and the explanation after it.", "preference", ["tone"]],
  ["The firmware is built with CMake; the old Makefile is no longer used.", "decision", ["firmware"]],
  ["Sensor readings are stored in UTC and shown in local time.", "decision", ["firmware"]],
  ["Never flash a board while the pump is running: one controller was lost in March.", "lesson", ["firmware"]],
  ["The staging broker's certificate has to be renewed by hand every 90 days.", "lesson", ["operations"]],
  ["The deploy failed because the staging certificate had expired.", "error", ["operations"]],
  ["Soil moisture explains the yield better than air humidity.", "insight", ["greenhouse"]],
  ["The trade fair in Utrecht is in the second week of May.", "context", ["travel"]],
];

/** Conversations on three days. What is learned from them waits in review, because nobody has confirmed it. */
const CONVERSATIONS: { session: string; daysAgo: number; messages: [speaker: string, role: string, text: string][] }[] = [
  {
    session: "Planning",
    daysAgo: 12,
    messages: [
      ["Maya", "user", "Priya works with me on the greenhouse sensors."],
      ["Maya", "user", "I live in Malmö and Jonas is my manager."],
      ["Assistant", "assistant", "Noted. I will put Jonas on the weekly report."],
    ],
  },
  {
    session: "Greenhouse 2",
    daysAgo: 6,
    messages: [
      ["Maya", "user", "Can you check why the readings from greenhouse 2 stop at midnight?"],
      ["Assistant", "assistant", "The device clock is set to local time, so the rotation job deletes the newest file. I have switched it to UTC."],
      ["Maya", "user", "Good. Always use UTC on the devices from now on."],
    ],
  },
  {
    session: "Trade fair",
    daysAgo: 1,
    messages: [
      ["Maya", "user", "I prefer hotels close to the station."],
      ["Maya", "user", "My sister Elin lives in Utrecht."],
    ],
  },
];

const RELATIONS: [subject: string, predicate: string, object: string, type: string][] = [
  ["Maya", "reports_to", "Jonas", "person"],
  ["Maya", "works_with", "Priya", "person"],
  ["Maya", "works_on", "Greenhouse sensors", "project"],
  ["Priya", "works_on", "Greenhouse sensors", "project"],
  ["Maya", "lives_in", "Malmö", "place"],
  ["Maya", "owes_followup", "Priya", "person"],
];

/** Said at first, and corrected since: its history shows both. */
const CORRECTED = { before: "Every Thursday Maya sends the weekly report to Jonas.", after: "Every Friday at three Maya sends the weekly report to Jonas." };
const DAY = 24 * 60 * 60 * 1000;
const MINUTE = 60 * 1000;

export async function loadSample(): Promise<void> {
  const query = { namespace: SAMPLE };
  const post = <T>(path: string, body: unknown) => call<T>("POST", path, { query, body });
  await call("POST", "/v1/namespaces", { body: { name: SAMPLE, description: "Sample data" }, bare: true }).catch(() => undefined); // it may be there already
  await call("PUT", "/v1/me/memory/core/name", { query, body: { value: "Maya Lindqvist" } });
  for (const { session, daysAgo, messages } of CONVERSATIONS) {
    const began = Date.now() - daysAgo * DAY;
    await post("/v1/episodes", { session, messages: messages.map(([speaker, role, text], at) => ({ speaker, role, text, at: new Date(began + at * MINUTE).toISOString() })) });
  }
  for (const [subject, predicate, object, type] of RELATIONS) {
    await post("/v1/relations", { subject, predicate, object, subject_type: "person", object_type: type });
  }
  const { ids } = await post<Receipt>("/v1/memories", { text: CORRECTED.before, category: "routine", tags: ["work"] });
  await call("PATCH", `/v1/memories/${part(ids[0]!)}`, { query, body: { text: CORRECTED.after, reason: "moved to Friday" } });
  await post("/v1/memories/batch", { items: MEMORIES.map(([text, category, tags]) => ({ text, category, tags })) });
}
