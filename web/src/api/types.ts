/** The nouns of the API. Made by tools/page_types.py from the OpenAPI document. Do not edit. */

export const KINDS = ["core", "episodic", "associative", "relational", "proactive"] as const;

export const CATEGORIES = ["insight", "decision", "context", "error", "pattern", "fact", "preference", "routine", "correction", "lesson"] as const;

export const SOURCES = ["user", "planner", "executor", "assistant", "tool", "import", "system"] as const;

export const STATUSES = ["candidate", "verified", "rejected", "stale", "archived"] as const;

export interface Page<T> {
  items: T[];
  next: string | null;
  total?: number;
}

export interface Memory {
  id: string;
  owner: string;
  namespace: string;
  text: string;
  key: string | null;
  metadata: Record<string, unknown>;
  kind: "core" | "episodic" | "associative" | "relational" | "proactive";
  category: "insight" | "decision" | "context" | "error" | "pattern" | "fact" | "preference" | "routine" | "correction" | "lesson";
  status: "candidate" | "verified" | "rejected" | "stale" | "archived";
  source: "user" | "planner" | "executor" | "assistant" | "tool" | "import" | "system";
  importance: number;
  confidence: number;
  recorded_at: string;
  version: number;
  pinned: boolean;
  valid_from: string | null;
  valid_to: string | null;
  retired_at: string | null;
  last_confirmed_at: string | null;
  last_used_at: string | null;
  uses: number;
  expires_at: string | null;
  directive: string | null;
  step: string | null;
  tags: string[];
  turn: Turn | null;
  author: string | null;
  agent: string | null;
}

export interface Version {
  memory: Memory;
  version: number;
  recorded_at: string;
  superseded_at: string | null;
  actor: string;
  action: string;
  reason: string | null;
}

export interface Use {
  id: string;
  at: string;
  kind: string;
  memories: number;
}

export interface Receipt {
  ref: string;
  action: string;
  at: string;
  actor: string;
  ids: string[];
  changes: Change[];
  state: string;
  trace: string | null;
  notes: string[];
  id: string | null;
}

export interface Report {
  action: string;
  at: string;
  dry_run: boolean;
  namespace: string | null;
  count: number;
  counts: Record<string, number>;
  findings: Finding[];
  receipt: string | null;
  notes: string[];
}

export interface Entity {
  id: string;
  owner: string;
  namespace: string;
  label: string;
  type: string;
  recorded_at: string;
  aliases: string[];
  notes: string | null;
  tags: string[];
  status: "candidate" | "verified" | "rejected" | "stale" | "archived";
  version: number;
}

export interface Relation {
  id: string;
  owner: string;
  namespace: string;
  predicate: string;
  confidence: number;
  status: "candidate" | "verified" | "rejected" | "stale" | "archived";
  source: "user" | "planner" | "executor" | "assistant" | "tool" | "import" | "system";
  recorded_at: string;
  version: number;
  pinned: boolean;
  valid_from: string | null;
  valid_to: string | null;
  retired_at: string | null;
  last_confirmed_at: string | null;
  subject: Entity;
  object: Entity;
  notes: string | null;
}

export interface Hit {
  memory: Memory;
  score: number;
  why: Why | null;
  overturned: boolean;
}

export interface Me {
  owner: string;
  plan: string;
  features: string[];
  timezone: string | null;
  language: string | null;
  namespace: string;
  version: string;
  token: string;
  scopes: string[];
  person: boolean;
}

export interface Waiting {
  memory: Memory;
  evidence: EvidenceQuote[];
  reason: string;
  conflict: Memory | null;
}

export interface Hint {
  id: string;
  owner: string;
  namespace: string;
  text: string;
  key: string | null;
  metadata: Record<string, unknown>;
  kind: "core" | "episodic" | "associative" | "relational" | "proactive";
  category: "insight" | "decision" | "context" | "error" | "pattern" | "fact" | "preference" | "routine" | "correction" | "lesson";
  status: "candidate" | "verified" | "rejected" | "stale" | "archived";
  source: "user" | "planner" | "executor" | "assistant" | "tool" | "import" | "system";
  importance: number;
  confidence: number;
  recorded_at: string;
  version: number;
  pinned: boolean;
  valid_from: string | null;
  valid_to: string | null;
  retired_at: string | null;
  last_confirmed_at: string | null;
  last_used_at: string | null;
  uses: number;
  expires_at: string | null;
  directive: string | null;
  step: string | null;
  tags: string[];
  turn: Turn | null;
  author: string | null;
  agent: string | null;
  evidence: EvidenceQuote[];
}

export interface Namespace {
  id: string;
  name: string;
  description: string | null;
  created_at: string;
  predicates: string[];
}

export interface Tag {
  id: string;
  name: string;
  description: string | null;
  synonyms: string[];
  links: number;
}

export interface Directive {
  id: string;
  owner: string;
  namespace: string;
  title: string;
  goal: string;
  status: "draft" | "active" | "paused" | "completed" | "failed" | "archived";
  created_at: string;
  memory_enabled: boolean;
  repository_url: string | null;
  local_path: string | null;
  base_branch: string | null;
  generation: number;
  goal_updated_at: string | null;
  planned_for: string | null;
  started_at: string | null;
  reason: string | null;
  done: string | null;
  run: string | null;
  version: number;
}

export interface Prompt {
  text: string;
  memories: string[];
  left_out: number;
  fault: string | null;
}

export interface Step {
  id: string;
  directive: string;
  name: string;
  status: "pending" | "ready" | "running" | "completed" | "failed" | "skipped";
  order_index: number;
  generation: number;
  description: string | null;
  task_plan: string | null;
  result: string | null;
  attempts: number;
  depends_on: string[];
  run: string | null;
  version: number;
}

export interface NotebookFiles {
  folder: string | null;
  files: NotebookFile[];
}

export interface Job {
  id: string;
  kind: string;
  state: string;
  attempts: number;
  due_at: string;
  created_at: string;
  finished_at: string | null;
  error: string | null;
}

export interface UsageDay {
  day: string;
  what: string;
  calls: number;
  tokens: number;
}

export interface AuditLine {
  sequence: number;
  at: string;
  actor: string;
  action: string;
  noun: string;
  target: string;
  reason: string | null;
}

export interface Token {
  id: string;
  owner: string;
  name: string | null;
  scope: "read" | "write" | "admin";
  person: boolean;
  source: "user" | "planner" | "executor" | "assistant" | "tool" | "import" | "system";
  namespaces: string[];
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  session: boolean;
  link: boolean;
  connection: boolean;
  resource: string | null;
  scopes: string[];
  last_used_at: string | null;
}

export interface Day {
  day: string;
  episodes: number;
  learned: number;
  forgotten: number;
}

export interface Signal {
  sequence: number;
  at: string;
  noun: string;
  id: string;
  operation: string;
  namespace: string | null;
}

export interface AgendaItem {
  id: string;
  kind: "owed" | "due" | "silent";
  text: string;
  name: string;
  debtor: string | null;
  day: string | null;
  deadline: string | null;
}

export interface CoreValue {
  id: string;
  key: string;
  value: string;
  updated_at: string;
  namespace: string;
  version: number;
}

export interface Drawing {
  types: string[];
  predicates: string[];
  ids: string[];
  labels: string[];
  type: number[];
  aliases: Record<string, string[]>;
  relations: string[];
  subject: number[];
  predicate: number[];
  object: number[];
  confidence: number[];
}

export interface RelationSummary {
  id: string;
  subject: string;
  predicate: string;
  object: string;
  confidence: number;
  last_confirmed_at: string | null;
  notes: string | null;
  version: number;
}

export interface EvidenceQuote {
  episode: Memory;
  quote: string | null;
}

export interface Diagnosis {
  checks: string[];
  symptoms: Symptom[];
  sound: boolean;
}

export interface ImportedFile {
  format: string;
  counts: Record<string, number>;
  problems: UnreadPart[];
  skipped: Record<string, number>;
  dry_run: boolean;
}

export interface SettingValue {
  name: string;
  value: unknown;
  help: string;
  origin: string | null;
}

export interface Stats {
  owner: string;
  plan: string;
  at: string;
  memories: number;
  kinds: Record<string, number>;
  statuses: Record<string, number>;
  categories: Record<string, number>;
  namespaces: NamespaceStats[];
  oldest: string | null;
  newest: string | null;
  sizes: Record<string, number>;
  jobs: Record<string, number>;
  prunable: number;
  tombstones: number;
  tokens_today: number;
  tokens_cap: number;
  embedder: string | null;
  keys: Record<string, number>;
  receipts: ([string, string, string])[];
  warnings: string[];
}

export interface SharedNamespace {
  name: string;
  role: string;
  rule: string;
  members: Member[];
  invitations: Invitation[];
}

export interface SyncStatus {
  peers: SyncPeer[];
  waiting: number;
  conflicts: number;
  conflicts_in: string[];
  private: string[];
  sealed: number;
}

export interface Turn {
  session: string;
  speaker: string | null;
  role: "user" | "assistant" | "system" | "tool";
  said_at: string;
  position: number;
}

export interface Change {
  action: "ADD" | "UPDATE" | "DELETE" | "NOOP" | "PROPOSE";
  noun: string;
  id: string;
  reason: string;
  statement: string | null;
  before: number | null;
  after: number | null;
}

export interface Finding {
  id: string;
  reason: string;
  noun: string;
}

export interface Why {
  parts: Record<string, number>;
  lists: Record<string, number>;
  terms: string[];
  evidence: Evidence[];
}

export interface NotebookFile {
  name: string;
  tier: string;
  path: string;
  modified: string;
  size: number;
}

export interface Symptom {
  check: string;
  what: string;
  grade: string;
  owner: string | null;
  remedy: string;
  fixed: boolean;
}

export interface UnreadPart {
  place: string;
  what: string;
}

export interface NamespaceStats {
  name: string;
  memories: number;
  words: number;
  vectors_missing: number;
}

export interface Member {
  person: string;
  role: string;
  since: string;
}

export interface Invitation {
  id: string;
  namespace: string;
  role: string;
  rule: string;
  invited_by: string;
  expires_at: string;
  person: string | null;
  code: string | null;
}

export interface SyncPeer {
  address: string;
  owner: string | null;
  last_at: string | null;
  sent: number;
  received: number;
  waiting: number;
}

export interface Evidence {
  episode: string;
  quote: string | null;
}
