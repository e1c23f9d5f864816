/** The nouns of the API, as commonplace.model has them. */

export const KINDS = ["core", "episodic", "associative", "relational", "proactive"] as const;
export const CATEGORIES = [
  "insight", "decision", "context", "error", "pattern", "fact", "preference", "routine", "correction", "lesson",
] as const;
export const SOURCES = ["user", "planner", "executor", "assistant", "tool", "import", "system"] as const;
export const STATUSES = ["candidate", "verified", "rejected", "stale", "archived"] as const;

export interface Turn {
  session: string;
  speaker: string | null;
  role: string;
  said_at: string;
  position: number;
}

export interface Memory {
  id: string;
  namespace: string;
  kind: string;
  category: string;
  text: string;
  status: string;
  source: string;
  importance: number;
  confidence: number;
  recorded_at: string;
  version: number;
  key: string | null;
  tags: string[];
  metadata: Record<string, unknown>;
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
  turn: Turn | null;
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

export interface Proof {
  episode: Memory;
  quote: string | null;
}

export interface Use {
  at: string;
  kind: string;
  query?: string | null;
}

export interface Change {
  action: string;
  noun: string;
  id: string;
  reason: string;
  statement: string | null;
  before: number | null;
  after: number | null;
}

export interface Receipt {
  ref: string;
  id: string | null;
  ids: string[];
  action: string;
  at: string;
  actor: string;
  changes: Change[];
  state: string;
  notes: string[];
}

/** What a maintenance act changed, or would change. */
export interface Report {
  action: string;
  at: string;
  dry_run: boolean;
  count: number;
  counts: Record<string, number>;
  findings: { id: string; reason: string; noun: string }[];
  /** What takes the whole act back. */
  receipt: string | null;
  notes: string[];
}

export interface Entity {
  id: string;
  label: string;
  type: string;
  aliases: string[];
  notes: string | null;
  tags: string[];
  recorded_at: string;
  version: number;
}

export interface Relation {
  id: string;
  subject: Entity;
  predicate: string;
  object: Entity;
  confidence: number;
  status: string;
  recorded_at: string;
  version: number;
  notes: string | null;
  valid_from: string | null;
  valid_to: string | null;
  last_confirmed_at: string | null;
}

export interface Why {
  parts: Record<string, number>;
  lists: Record<string, number>;
  terms: string[];
  evidence: { episode: string; quote: string | null }[];
}

export interface Hit {
  memory: Memory;
  score: number;
  why: Why | null;
}

export interface Page<T> {
  items: T[];
  next: string | null;
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

export interface Core {
  id: string;
  key: string;
  value: string;
  updated_at: string;
  version: number;
}

export interface Tie {
  id: string;
  subject: string;
  predicate: string;
  object: string;
  confidence: number;
  last_confirmed_at: string | null;
  notes: string | null;
  version: number;
}

export interface Waiting {
  memory: Memory;
  evidence: Proof[];
  reason: string;
  conflict: Memory | null;
}

export interface Hint extends Memory {
  evidence?: Proof[];
}

export interface Namespace {
  id: string;
  name: string;
  description: string | null;
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
  title: string;
  goal: string;
  status: string;
  repository_url: string | null;
  base_branch: string | null;
  memory_enabled: boolean;
  generation: number;
  created_at: string;
  goal_updated_at: string | null;
  started_at: string | null;
  /** Why the runner last finished or stopped. */
  reason: string | null;
  version: number;
}

/** A prompt as it is sent, and which memories went into it. */
export interface Prompt {
  text: string;
  memories: string[];
  left_out: number;
  fault: string | null;
}

export interface Step {
  id: string;
  name: string;
  description: string | null;
  task_plan: string | null;
  status: string;
  order_index: number;
  depends_on: string[];
  generation: number;
  result: string | null;
  attempts: number;
  version: number;
}

export interface NotebookFile {
  name: string;
  tier: string;
  path: string;
  modified: string;
  size: number;
}

export interface Job {
  id: string;
  kind: string;
  state: string;
  attempts: number;
  error: string | null;
  due_at: string;
  created_at: string;
  finished_at: string | null;
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
  name: string | null;
  scopes: string[];
  person: boolean;
  namespaces: string[];
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
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
