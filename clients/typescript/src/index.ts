export { Commonplace, type Hit, type Memory, type Message, type Proposal, type Receipt } from "./client.js";
export type { Arguments, CallOptions, ConnectionOptions, ItemOf, ListOperation, Operation } from "./connection.js";
export { CommonplaceError, TimedOut, Unreachable, type Problem } from "./errors.js";
export type { components, operations } from "./schema.js";
export type { Change, FollowOptions } from "./streams.js";
