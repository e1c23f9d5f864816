const ago = (days) => new Date(Date.now() - days * 86_400_000).toISOString();
const SAYINGS = [
  ["preference", "Ada prefers trains to planes for anything under eight hours, and a window seat on the left."],
  ["decision", "The orchard planner keeps its frost model in one file; splitting it made the tests flaky."],
  ["fact", "Giulia leads the irrigation team and reports to Marco."],
  ["routine", "Every Friday afternoon Ada writes the weekly summary before leaving at four."],
  ["lesson", "Never run the migration while the sensors are sending: two readings were lost in March."],
  ["context", "The Berlin trip is planned for the second week of May, with two free evenings."],
  ["correction", "The clinic is in Via Roma 14, not 41."],
  ["insight", "Soil moisture explains the yield better than rainfall in the southern plots."],
  ["error", "The deploy failed because the certificate of the staging host had expired."],
  ["fact", "Marco’s daughter is called Elena; she starts school in September."],
];
const TALK = [
  ["Ada", "I’d rather take the night train than fly, even if it takes longer."],
  ["Ada", "Giulia took over irrigation in January; she reports to Marco now."],
  ["Assistant", "I have moved the frost model back into one file and the tests are stable again."],
  ["Ada", "Wait, the clinic is at number 14, I always mix that up."],
  ["Marco", "We lost two sensor readings in March when the migration ran."],
  ["Ada", "Friday afternoons are for the summary, please keep them free."],
  ["Ada", "Let’s go to Berlin in the second week of May."],
  ["Ada", "Elena starts school in September, remind me to send something."],
];
const plain = { owner: "ada", namespace: "default", source: "user", key: null, metadata: {}, retired_at: null, expires_at: null, directive: null, step: null, turn: null, valid_to: null };
export const memories = [];
for (let at = 0; at < 1200; at++) {
  const [category, text] = SAYINGS[at % SAYINGS.length];
  memories.push({ ...plain, id: `m${at}`, kind: at % 23 === 7 ? "relational" : "associative", category, text: at < 10 ? text : `${text} (${at})`, status: at % 6 === 4 ? "candidate" : "verified", importance: 0.3 + (at % 7) / 10, confidence: 0.5 + (at % 5) / 10, recorded_at: ago(at / 12), version: 2, tags: at % 4 === 0 ? ["travel"] : at % 4 === 1 ? ["orchard", "design"] : [], pinned: at % 17 === 0, valid_from: ago(at / 12 + 30), last_confirmed_at: at % 3 ? null : ago(2), last_used_at: ago(1), uses: at % 9 });
}
memories[3].text = "<img src=x onerror=alert(1)> [click](javascript:alert(1)) and a \u202Ereversed\u202C word; the rest is plain.";
TALK.forEach(([speaker, text], at) => memories.push({ ...plain, id: `e${at}`, kind: "episodic", category: "context", text, status: "verified", importance: 0.4, confidence: 1, recorded_at: ago(at), version: 1, tags: [], pinned: false, valid_from: null, last_confirmed_at: null, last_used_at: null, uses: 0, turn: { session: at < 4 ? "Morning planning" : "Review with Marco", speaker, role: "user", said_at: ago(at), position: at } }));
["You usually ask for the weather before planning a trip.", "Deploys on Friday fail more often than on other days.", "Marco answers fastest before nine."].forEach((text, at) => memories.push({ ...memories[0], id: `h${at}`, kind: "proactive", category: "pattern", text, pinned: false }));
export const core = [["name", "Ada Rossi"], ["language", "Italian, English at work"], ["diet", "vegetarian, no mushrooms"], ["working hours", "8:00 to 16:00, Fridays until 14:00"], ["tone", "short answers, no exclamation marks"]].map(([key, value], at) => ({ id: `c${at}`, key, value, updated_at: ago(at * 4 + 1), version: 1 }));
const NAMES = ["Ada", "Giulia", "Marco", "Elena", "Orchard planner", "Irrigation", "Berlin", "Frost model", "Sensors", "Clinic", "Staging", "Summary"];
const TYPES = ["person", "person", "person", "person", "project", "project", "place", "topic", "topic", "place", "system", "topic"];
const MANY = Number(process.env.NODES ?? 160);
export const entities = Array.from({ length: MANY }, (_, at) => ({ id: `n${at}`, owner: "ada", namespace: "default", label: NAMES[at] ?? `${NAMES[at % 12]} ${at}`, type: TYPES[at % 12], aliases: at % 9 ? [] : [`alias ${at}`], notes: at % 5 ? null : "Mentioned in the spring review.", tags: [], recorded_at: ago(at), status: "verified", version: 1 }));
const PREDICATES = ["works_with", "reports_to", "leads", "lives_in", "knows"];
export const relations = Array.from({ length: Math.round(MANY * 1.4) }, (_, at) => ({ id: `r${at}`, subject: entities[(at * 7) % Math.min(MANY, 12 + at)], predicate: PREDICATES[at % 5], object: entities[at % MANY], confidence: 0.55 + (at % 5) / 11, status: "verified", source: "user", recorded_at: ago(at), version: 1, notes: null, valid_from: null, valid_to: null, last_confirmed_at: at % 2 ? ago(at + 1) : null })).filter((one) => one.subject !== one.object);
export const tags = ["travel", "orchard", "design", "family"].map((name, at) => ({ id: `g${at}`, name, description: at % 2 ? "What was decided and why" : null, synonyms: at === 0 ? ["trips", "journeys"] : [], links: 12 * (at + 1) }));
export const directives = [
  { id: "d1", title: "Frost warnings for the orchard", goal: "Warn the growers at least six hours before frost, by text message, with less than one false alarm a week.", status: "active", repository_url: "https://example.org/orchard.git", base_branch: "main", memory_enabled: true, version: 4, started_at: ago(12) },
  { id: "d2", title: "Move the archive to the new host", goal: "All photographs and their captions, checked one by one.", status: "completed", repository_url: null, base_branch: null, memory_enabled: false, version: 9, started_at: ago(80) },
];
const step = (id, name, status, depends_on, generation = 1) => ({ id, name, description: `${name}, with tests.`, task_plan: null, status, order_index: 0, depends_on, generation, result: status === "completed" ? "Done; all tests pass." : null, attempts: status === "failed" ? 3 : 1, version: 1 });
export const steps = [step("s1", "Read the sensors", "completed", []), step("s2", "Fit the frost model", "completed", ["s1"]), step("s3", "Choose thresholds", "failed", ["s2"]), step("s4", "Choose thresholds by plot", "running", ["s2"], 2), step("s5", "Text messages", "completed", []), step("s6", "Quiet hours", "ready", ["s5"], 2), step("s7", "Field trial", "pending", ["s4", "s6"], 2), step("s8", "Write the manual", "pending", ["s7"], 2)];
export const files = [
  { name: "working-buffer.md", tier: "active state", path: "memory/working-buffer.md", modified: ago(0.01), text: "# Now\n\n- [x] read the sensors\n- [ ] thresholds **by plot**\n\n> Giulia: ask before touching the south plots.\n\nNext: run `make trial`.\n\n<script>alert(1)</script> stays text, and so does [this](javascript:alert(1)).\n" },
  { name: "MEMORY.md", tier: "long-term", path: "MEMORY.md", modified: ago(1), text: "# Orchard planner\n\nWarns growers of frost.\n\n## Decisions\n\n| date | decision | why |\n|---|---|---|\n| 2026-03-02 | one file for the model | flaky tests |\n| 2026-04-11 | messages by text | growers are outside |\n\n## Key files\n\n1. `model/frost.py`\n2. `send/message.py`\n\n```\nmake trial\n```\n" },
  { name: "todo.md", tier: "tasks", path: "tasks/todo.md", modified: ago(2), text: "- [ ] quiet hours\n- [x] sensors\n" },
];
