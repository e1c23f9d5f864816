/** Sample data: an invented person, in a namespace of its own that can be removed in one click. */
import { call } from "../api/client";

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
  ["Every Friday at three Maya sends the weekly report to Jonas.", "routine", ["work"]],
  ["The trade fair in Utrecht is in the second week of May.", "context", ["travel"]],
];

const MESSAGES: [speaker: string, role: string, text: string][] = [
  ["Maya", "user", "Can you check why the readings from greenhouse 2 stop at midnight?"],
  ["Assistant", "assistant", "The device clock is set to local time, so the rotation job deletes the newest file. I have switched it to UTC."],
  ["Maya", "user", "Good. Always use UTC on the devices from now on."],
  ["Maya", "user", "Jonas is my manager, and Priya takes over the greenhouse project in June."],
];

const RELATIONS: [subject: string, predicate: string, object: string, type: string][] = [
  ["Maya", "reports_to", "Jonas", "person"],
  ["Maya", "works_with", "Priya", "person"],
  ["Maya", "works_on", "Greenhouse sensors", "project"],
  ["Priya", "works_on", "Greenhouse sensors", "project"],
  ["Maya", "lives_in", "Malmö", "place"],
];

export async function loadSample(): Promise<void> {
  const query = { namespace: SAMPLE };
  await call("POST", "/v1/namespaces", { body: { name: SAMPLE, description: "Sample data" }, bare: true }).catch(() => undefined); // it may be there already
  await call("POST", "/v1/episodes", { query, body: { session: "Greenhouse 2", messages: MESSAGES.map(([speaker, role, text]) => ({ speaker, role, text })) } });
  await call("POST", "/v1/memories/batch", { query, body: { items: MEMORIES.map(([text, category, tags]) => ({ text, category, tags })) } });
  for (const [subject, predicate, object, type] of RELATIONS) {
    await call("POST", "/v1/relations", { query, body: { subject, predicate, object, subject_type: "person", object_type: type } });
  }
}
