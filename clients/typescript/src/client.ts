import {
  Connection,
  type AnswerOf,
  type Arguments,
  type BodyOf,
  type CallOptions,
  type ConnectionOptions,
  type ItemOf,
  type ListOperation,
  type Operation,
  type QueryOf,
} from "./connection.js";
import type { components } from "./schema.js";
import { follow, lines, type Change, type FollowOptions } from "./streams.js";

type Schemas = components["schemas"];
export type Memory = Schemas["Memory"];
export type Hit = Schemas["Hit"];
export type Receipt = Schemas["Receipt"];
export type Proposal = Schemas["Proposal"];
export type Message = Schemas["NewMessage"];
type Without<T, Names extends PropertyKey> = Omit<T, Names>;
type Expected = { expected?: number };
type Reason = { reason?: string };
type Times = { as_of?: string; known_at?: string };
const CONFIRM = { "X-Confirm": "true" };

/**
 * A book on a server. The verbs are those of Python's `Commonplace`, in camelCase; fields are written as in REST
 * (`valid_from`, `dry_run`), and each call takes `{ signal, timeout, retries, idempotencyKey }` last.
 */
export class Commonplace {
  private readonly connection: Connection;

  constructor(options: ConnectionOptions) {
    this.connection = new Connection(options);
  }

  /** The same book in another namespace. */
  within(namespace: string): Commonplace {
    return new Commonplace({ ...this.connection.options, namespace });
  }

  /** The same book, spoken to by an agent or a tool: what it states is a candidate until a person confirms it. */
  actingAs(source: NonNullable<ConnectionOptions["source"]>): Commonplace {
    return new Commonplace({ ...this.connection.options, source });
  }

  /** Any operation of the OpenAPI document by its id. */
  call<O extends Operation>(operation: O, args?: Arguments, options?: CallOptions): Promise<AnswerOf<O>> {
    return this.connection.call(operation, args, options);
  }

  /** Every item of a list operation, page by page: `for await (const memory of book.each("browse"))`. */
  async *each<O extends ListOperation>(
    operation: O,
    args: { path?: Record<string, string>; query?: QueryOf<O> } = {},
    options: CallOptions = {},
  ): AsyncGenerator<ItemOf<O>> {
    let query: object = { ...args.query };
    for (;;) {
      const page = (await this.call(operation, { ...args, query }, options)) as unknown as {
        items: ItemOf<O>[];
        next?: string | number | null;
      };
      yield* page.items;
      if (page.next === null || page.next === undefined) return;
      query = { ...query, cursor: page.next };
    }
  }

  // Keep

  remember(text: string, fields: Without<BodyOf<"remember">, "text"> = {}, options?: CallOptions): Promise<Receipt> {
    return this.call("remember", { body: { ...fields, text } }, options);
  }

  rememberMany(items: (string | BodyOf<"remember">)[], options?: CallOptions): Promise<Receipt> {
    const memories = items.map((item) => (typeof item === "string" ? { text: item } : item));
    return this.call("remember_many", { body: { items: memories } }, options);
  }

  /** Stores a conversation and learns from it. */
  observe(
    messages: string | Message | (string | Message)[],
    fields: Without<BodyOf<"observe">, "messages"> = {},
    options?: CallOptions,
  ): Promise<Receipt> {
    const turns = (Array.isArray(messages) ? messages : [messages]).map((message) =>
      typeof message === "string" ? { text: message } : message,
    );
    return this.call("observe", { body: { ...fields, messages: turns } }, options);
  }

  // Find

  async recall(query: string, fields: Without<BodyOf<"recall">, "query"> = {}, options?: CallOptions): Promise<Hit[]> {
    return (await this.call("recall", { body: { ...fields, query } }, options)).items;
  }

  /** A page for a prompt: fenced, escaped, inside its token budget. */
  async context(query?: string, fields: Without<BodyOf<"context">, "query"> = {}, options?: CallOptions): Promise<string> {
    return (await this.page(query, fields, options)).text;
  }

  /** As `context`, with the ids of the memories on it. */
  page(
    query?: string,
    fields: Without<BodyOf<"context">, "query"> = {},
    options?: CallOptions,
  ): Promise<AnswerOf<"context">> {
    return this.call("context", { body: { ...fields, query } }, options);
  }

  useful(hit: string | Hit | Memory, fields: { yes?: boolean } = {}, options?: CallOptions): Promise<Receipt> {
    const id = typeof hit === "string" ? hit : "memory" in hit ? hit.memory.id : hit.id;
    return this.call("useful", { body: { ...fields, id } }, options);
  }

  get(id: string, query: QueryOf<"get"> = {}, options?: CallOptions): Promise<Memory> {
    return this.call("get", { path: { id }, query }, options);
  }

  async browse(
    filters: Without<QueryOf<"browse">, "metadata"> & { metadata?: Record<string, unknown> } = {},
    options?: CallOptions,
  ): Promise<Memory[]> {
    const metadata = filters.metadata === undefined ? {} : { metadata: JSON.stringify(filters.metadata) };
    return (await this.call("browse", { query: { ...filters, ...metadata } }, options)).items;
  }

  async why(id: string, options?: CallOptions): Promise<ItemOf<"why">[]> {
    return (await this.call("why", { path: { id } }, options)).items;
  }

  async evidence(id: string, options?: CallOptions): Promise<ItemOf<"evidence">[]> {
    return (await this.call("evidence", { path: { id } }, options)).items;
  }

  async uses(id: string, query: QueryOf<"uses"> = {}, options?: CallOptions): Promise<ItemOf<"uses">[]> {
    return (await this.call("uses", { path: { id }, query }, options)).items;
  }

  // Correct

  /** Gives a memory other words or fields, by its id. `reviseByDescription` is for what has none. */
  revise(
    id: string,
    { expected, dry_run, ...fields }: BodyOf<"revise"> & Expected & { dry_run?: boolean },
    options?: CallOptions,
  ): Promise<Receipt> {
    return this.call("revise", { path: { id }, query: { dry_run }, body: fields, expected }, options);
  }

  /** Revises what is described; a proposal where that is not certain. */
  reviseByDescription(
    query: string,
    { expected, ...fields }: Without<BodyOf<"revise_by_description">, "query"> & Expected,
    options?: CallOptions,
  ): Promise<Receipt | Proposal> {
    return this.call("revise_by_description", { body: { ...fields, query }, expected }, options);
  }

  confirm(id: string, { expected }: Expected = {}, options?: CallOptions): Promise<Receipt> {
    return this.call("confirm", { path: { id }, expected }, options);
  }

  reject(id: string, { expected, ...fields }: Reason & Expected = {}, options?: CallOptions): Promise<Receipt> {
    return this.call("reject", { path: { id }, body: fields, expected }, options);
  }

  archive(ids: string | string[], fields: Reason = {}, options?: CallOptions): Promise<Receipt> {
    return this.bulkAction("archive", typeof ids === "string" ? [ids] : ids, fields, options);
  }

  end(id: string, fields: BodyOf<"end"> = {}, options?: CallOptions): Promise<Receipt> {
    return this.call("end", { path: { id }, body: fields }, options);
  }

  async history(id: string, options?: CallOptions): Promise<ItemOf<"history">[]> {
    return (await this.call("history", { path: { id } }, options)).items;
  }

  rollback(id: string, { expected, to }: { to: number } & Expected, options?: CallOptions): Promise<Receipt> {
    return this.call("rollback", { path: { id }, body: { to }, expected }, options);
  }

  undo(receipt: string | Receipt, options?: CallOptions): Promise<Receipt> {
    return this.call("undo", { path: { ref: refOf(receipt) } }, options);
  }

  // Forget

  /** Forgets a memory for good, by its id. `forgetByDescription` is for what has none. */
  forget(id: string, query: QueryOf<"forget"> = {}, options?: CallOptions): Promise<Receipt> {
    return this.call("forget", { path: { id }, query }, options);
  }

  /** Forgets what is described; a proposal where that is not certain. */
  forgetByDescription(
    query: string,
    fields: Without<BodyOf<"forget_by_description">, "query"> = {},
    options?: CallOptions,
  ): Promise<Receipt | Proposal> {
    return this.call("forget_by_description", { body: { ...fields, query } }, options);
  }

  /** Erases the whole book, or one namespace. Needs a person's token. */
  erase(fields: { confirm: true; namespace?: string }, options?: CallOptions): Promise<Receipt> {
    if (fields.confirm !== true) throw new TypeError("erasing cannot be undone; pass { confirm: true }");
    if (fields.namespace === undefined) return this.call("erase", { headers: CONFIRM }, options);
    return this.namespaces.delete(fields.namespace, options);
  }

  verifyReceipt(receipt: string | Receipt, options?: CallOptions): Promise<AnswerOf<"verify_receipt">> {
    return this.call("verify_receipt", { path: { ref: refOf(receipt) } }, options);
  }

  // Relate

  relate(
    subject: string,
    predicate: string,
    object: string,
    fields: Without<BodyOf<"relate">, "subject" | "predicate" | "object"> = {},
    options?: CallOptions,
  ): Promise<Receipt> {
    return this.call("relate", { body: { ...fields, subject, predicate, object } }, options);
  }

  async relations(query: QueryOf<"relations"> = {}, options?: CallOptions): Promise<ItemOf<"relations">[]> {
    return (await this.call("relations", { query }, options)).items;
  }

  walk(entity: string, query: Without<QueryOf<"walk">, "entity"> = {}, options?: CallOptions): Promise<AnswerOf<"walk">> {
    return this.call("walk", { query: { ...query, entity } }, options);
  }

  // Look after

  async hints(query: QueryOf<"hints"> = {}, options?: CallOptions): Promise<ItemOf<"hints">[]> {
    return (await this.call("hints", { query }, options)).items;
  }

  dismiss(id: string, options?: CallOptions): Promise<Receipt> {
    return this.call("dismiss", { path: { id } }, options);
  }

  /** What is owed and due. */
  async agenda(query: QueryOf<"agenda"> = {}, options?: CallOptions): Promise<ItemOf<"agenda">[]> {
    return (await this.call("agenda", { query }, options)).items;
  }

  /** The machines that this book is in step with. */
  syncStatus(options?: CallOptions): Promise<AnswerOf<"get_sync_status">> {
    return this.call("get_sync_status", {}, options);
  }

  /** Mark a namespace private: it leaves its machine only encrypted. */
  syncPrivate(
    name: string,
    fields: Omit<BodyOf<"mark_private">, "name"> = {},
    options?: CallOptions,
  ): Promise<AnswerOf<"mark_private">> {
    return this.call("mark_private", { body: { ...fields, name } }, options);
  }

  stats(options?: CallOptions): Promise<AnswerOf<"stats">> {
    return this.call("stats", {}, options);
  }

  prune(fields: BodyOf<"prune"> = {}, options?: CallOptions): Promise<AnswerOf<"prune">> {
    return this.call("prune", { body: fields }, options);
  }

  merge(fields: BodyOf<"merge"> = {}, options?: CallOptions): Promise<AnswerOf<"merge">> {
    return this.call("merge", { body: fields }, options);
  }

  maintain(options?: CallOptions): Promise<AnswerOf<"maintain">> {
    return this.call("maintain", {}, options);
  }

  reindex(query: QueryOf<"reindex"> = {}, options?: CallOptions): Promise<AnswerOf<"reindex">> {
    return this.call("reindex", { query }, options);
  }

  rotateKeys(query: QueryOf<"rotate_keys"> = {}, options?: CallOptions): Promise<AnswerOf<"rotate_keys">> {
    return this.call("rotate_keys", { query, ...(query.destroy_old ? { headers: CONFIRM } : {}) }, options);
  }

  backup(options?: CallOptions): Promise<AnswerOf<"backup">> {
    return this.call("backup", {}, options);
  }

  doctor(query: QueryOf<"doctor"> = {}, options?: CallOptions): Promise<AnswerOf<"doctor">> {
    return this.call("doctor", { query }, options);
  }

  me(options?: CallOptions): Promise<AnswerOf<"me">> {
    return this.call("me", {}, options);
  }

  /** The lines of an export (JSON each), as they come. */
  async *export(query: QueryOf<"export"> = {}, options: CallOptions = {}): AsyncGenerator<string> {
    yield* lines(await this.connection.open("export", { query }, options), 0, options.signal);
  }

  /** Reads an export back in: its lines, or its text. */
  async import(
    source: string | Iterable<string> | AsyncIterable<string>,
    query: QueryOf<"import_export"> = {},
    options: CallOptions = {},
  ): Promise<AnswerOf<"import_export">> {
    const parts: string[] = [];
    if (typeof source === "string") parts.push(source);
    else for await (const line of source) parts.push(line, "\n");
    const headers = { "Content-Type": "application/x-ndjson" };
    return this.call("import_export", { query, headers, body: parts.join("") }, options);
  }

  // Collections

  readonly feed = {
    /** Every change from now on; it connects again after an interruption. Ends when `signal` does. */
    follow: (options?: FollowOptions): AsyncGenerator<Change> => follow(this.connection, options),
  };

  readonly core = {
    set: (key: string, value: string, fields: Without<BodyOf<"set_core_value">, "value"> = {}, options?: CallOptions) =>
      this.call("set_core_value", { path: { key }, body: { ...fields, value } }, options),
    get: async (key: string, query: Times = {}, options?: CallOptions) => {
      const name = key.trim().replace(/\s+/g, " ").toLowerCase();
      return (await this.core.list(query, options)).find((value) => value.key.toLowerCase() === name);
    },
    list: async (query: Times = {}, options?: CallOptions) =>
      (await this.call("list_core_values", { query }, options)).items,
    forget: (key: string, options?: CallOptions) => this.call("forget_core_value", { path: { key } }, options),
  };

  readonly glossary = {
    list: async (options?: CallOptions) => (await this.call("list_tags", {}, options)).items,
    get: (name: string, options?: CallOptions) => this.call("get_tag", { path: { name } }, options),
    create: (name: string, fields: Without<BodyOf<"create_tag">, "name"> = {}, options?: CallOptions) =>
      this.call("create_tag", { body: { ...fields, name } }, options),
    revise: (name: string, body: BodyOf<"revise_tag">, options?: CallOptions) =>
      this.call("revise_tag", { path: { name }, body }, options),
    merge: (name: string, body: { into: string }, options?: CallOptions) =>
      this.call("merge_tags", { path: { name }, body }, options),
    delete: (name: string, options?: CallOptions) => this.call("delete_tag", { path: { name } }, options),
  };

  readonly namespaces = {
    list: async (options?: CallOptions) => (await this.call("list_namespaces", {}, options)).items,
    create: (name: string, fields: Without<BodyOf<"create_namespace">, "name"> = {}, options?: CallOptions) =>
      this.call("create_namespace", { body: { ...fields, name } }, options),
    revise: (name: string, body: BodyOf<"revise_namespace">, options?: CallOptions) =>
      this.call("revise_namespace", { path: { name }, body }, options),
    move: (ids: string[], to: string, options?: CallOptions) => {
      const name = this.connection.options.namespace ?? "default";
      return this.call("move_memories", { path: { name }, body: { ids, to } }, options);
    },
    delete: (name: string, options?: CallOptions) =>
      this.call("delete_namespace", { path: { name }, headers: CONFIRM }, options),
  };

  readonly sharing = {
    list: async (options?: CallOptions) => (await this.call("list_shared_namespaces", {}, options)).items,
    get: (name: string, options?: CallOptions) => this.call("get_shared_namespace", { path: { name } }, options),
    share: (name: string, fields: Without<BodyOf<"share_namespace">, "name"> = {}, options?: CallOptions) =>
      this.call("share_namespace", { body: { ...fields, name } }, options),
    preview: (code: string, options?: CallOptions) => this.call("preview_invitation", { body: { code } }, options),
    join: (code: string, options?: CallOptions) => this.call("join_shared_namespace", { body: { code } }, options),
    withdraw: (name: string, invitation: string, options?: CallOptions) =>
      this.call("withdraw_invitation", { path: { name, invitation } }, options),
    leave: (name: string, options?: CallOptions) => this.call("leave_shared_namespace", { path: { name } }, options),
    setRole: (name: string, person: string, role: BodyOf<"change_role">["role"], options?: CallOptions) =>
      this.call("change_role", { path: { name, person }, body: { role } }, options),
    remove: (name: string, person: string, options?: CallOptions) =>
      this.call("remove_member", { path: { name, person } }, options),
    transfer: (name: string, person: string, options?: CallOptions) =>
      this.call("transfer_shared_namespace", { path: { name }, body: { person } }, options),
    delete: (name: string, options?: CallOptions) =>
      this.call("erase_shared_namespace", { path: { name }, headers: CONFIRM }, options),
  };

  readonly graph = {
    relate: this.relate.bind(this),
    relations: this.relations.bind(this),
    walk: this.walk.bind(this),
    get: (id: string, options?: CallOptions) => this.call("get_relation", { path: { id } }, options),
    revise: (id: string, { expected, ...body }: BodyOf<"revise_relation"> & Expected, options?: CallOptions) =>
      this.call("revise_relation", { path: { id }, body, expected }, options),
    entities: async (query: QueryOf<"list_entities"> = {}, options?: CallOptions) =>
      (await this.call("list_entities", { query }, options)).items,
    entity: (id: string, options?: CallOptions) => this.call("get_entity", { path: { id } }, options),
    reviseEntity: (id: string, { expected, ...body }: BodyOf<"revise_entity"> & Expected, options?: CallOptions) =>
      this.call("revise_entity", { path: { id }, body, expected }, options),
    merge: (keep: string, absorb: string, options?: CallOptions) =>
      this.call("merge_entities", { body: { keep, absorb } }, options),
    split: (id: string, body: BodyOf<"split_entity">, options?: CallOptions) =>
      this.call("split_entity", { path: { id }, body }, options),
    predicates: async (options?: CallOptions) => (await this.call("list_predicates", {}, options)).items,
    declare: (name: string, options?: CallOptions) => this.call("declare_predicate", { body: { name } }, options),
  };

  readonly review = {
    list: async (query: QueryOf<"list_review"> = {}, options?: CallOptions) =>
      (await this.call("list_review", { query }, options)).items,
    decide: (
      id: string,
      decision: BodyOf<"decide_review">["decision"],
      fields: Without<BodyOf<"decide_review">, "decision"> = {},
      options?: CallOptions,
    ) => this.call("decide_review", { path: { id }, body: { ...fields, decision } }, options),
    lift: async (text: string, options?: CallOptions) =>
      (await this.call("lift_tombstone", { body: { text } }, options)).lifted,
  };

  readonly bulk = {
    confirm: (ids: string[], options?: CallOptions) => this.bulkAction("confirm", ids, {}, options),
    reject: (ids: string[], fields: Reason = {}, options?: CallOptions) =>
      this.bulkAction("reject", ids, fields, options),
    tag: (ids: string[], tags: string[], options?: CallOptions) => this.bulkAction("tag", ids, { tags }, options),
  };

  readonly audit = {
    list: async (query: QueryOf<"list_audit"> = {}, options?: CallOptions) =>
      (await this.call("list_audit", { query }, options)).items,
    verify: (options?: CallOptions) => this.call("verify_audit", {}, options),
  };

  readonly jobs = {
    list: async (query: QueryOf<"list_jobs"> = {}, options?: CallOptions) =>
      (await this.call("list_jobs", { query }, options)).items,
    counts: (options?: CallOptions) => this.call("job_counts", {}, options),
    replay: (id: string, options?: CallOptions) => this.call("retry_job", { path: { id } }, options),
  };

  readonly receipts = {
    list: async (query: QueryOf<"list_receipts"> = {}, options?: CallOptions) =>
      (await this.call("list_receipts", { query }, options)).items,
    get: (ref: string, options?: CallOptions) => this.call("get_receipt", { path: { ref } }, options),
  };

  readonly sessions = {
    list: async (query: QueryOf<"list_sessions"> = {}, options?: CallOptions) =>
      (await this.call("list_sessions", { query }, options)).items,
  };

  readonly timeline = {
    days: async (query: QueryOf<"timeline"> = {}, options?: CallOptions) =>
      (await this.call("timeline", { query }, options)).items,
    usage: async (query: QueryOf<"usage"> = {}, options?: CallOptions) =>
      this.call("usage", { query }, options),
  };

  readonly directives = {
    create: (
      title: string,
      goal: string,
      fields: Without<BodyOf<"create_directive">, "title" | "goal"> = {},
      options?: CallOptions,
    ) => this.call("create_directive", { body: { ...fields, title, goal } }, options),
    get: (id: string, options?: CallOptions) => this.call("get_directive", { path: { id } }, options),
    list: async (query: QueryOf<"list_directives"> = {}, options?: CallOptions) =>
      (await this.call("list_directives", { query }, options)).items,
    revise: (id: string, { expected, ...body }: BodyOf<"revise_directive"> & Expected, options?: CallOptions) =>
      this.call("revise_directive", { path: { id }, body, expected }, options),
    pause: (id: string, options?: CallOptions) => this.directives.revise(id, { status: "paused" }, options),
    resume: (id: string, options?: CallOptions) => this.directives.revise(id, { status: "active" }, options),
    delete: (id: string, options?: CallOptions) =>
      this.call("delete_directive", { path: { id }, headers: CONFIRM }, options),
    steps: async (id: string, options?: CallOptions) => (await this.call("list_steps", { path: { id } }, options)).items,
    step: (id: string, options?: CallOptions) => this.call("get_step", { path: { id } }, options),
    addStep: (id: string, name: string, fields: Without<BodyOf<"add_step">, "name"> = {}, options?: CallOptions) =>
      this.call("add_step", { path: { id }, body: { ...fields, name } }, options),
    reviseStep: (id: string, { expected, ...body }: BodyOf<"revise_step"> & Expected, options?: CallOptions) =>
      this.call("revise_step", { path: { id }, body, expected }, options),
    deleteStep: (id: string, options?: CallOptions) => this.call("delete_step", { path: { id } }, options),
    memories: async (id: string, query: QueryOf<"directive_memories"> = {}, options?: CallOptions) =>
      (await this.call("directive_memories", { path: { id }, query }, options)).items,
    remember: (
      id: string,
      text: string,
      fields: Without<BodyOf<"remember_for_directive">, "text"> = {},
      options?: CallOptions,
    ) => this.call("remember_for_directive", { path: { id }, body: { ...fields, text } }, options),
    correct: (
      id: string,
      memory: string,
      { expected, ...body }: BodyOf<"revise_directive_memory"> & Expected,
      options?: CallOptions,
    ) => this.call("revise_directive_memory", { path: { id, memory }, body, expected }, options),
    forget: (id: string, memory: string, options?: CallOptions) =>
      this.call("forget_directive_memory", { path: { id, memory } }, options),
    prompt: (id: string, query: QueryOf<"directive_prompt"> = {}, options?: CallOptions) =>
      this.call("directive_prompt", { path: { id }, query }, options),
    explain: async (id: string, options?: CallOptions) =>
      (await this.call("directive_attempts", { path: { id } }, options)).items,
    history: async (id: string, options?: CallOptions) =>
      (await this.call("directive_history", { path: { id } }, options)).items,
  };

  private bulkAction(
    action: BodyOf<"act_on_many">["action"],
    ids: string[],
    fields: Reason & { tags?: string[] },
    options?: CallOptions,
  ): Promise<Receipt> {
    return this.call("act_on_many", { body: { ...fields, action, ids } }, options);
  }
}

function refOf(receipt: string | Receipt): string {
  return typeof receipt === "string" ? receipt : receipt.ref;
}
