import { store } from "./store";

/** Dialogs that can be opened from anywhere. */
export type Panel = "palette" | "add" | "connect" | "display" | "shortcuts";

export const panel = store<Panel | null>(null);
