import { createHashHistory, useLocation, useParams } from "@tanstack/react-router";
import { useMemo } from "react";

export const history = createHashHistory();

/** Go to an address that `href` made. */
export function go(to: string, how: "push" | "replace" = "push"): void {
  history[how](to.replace(/^#/, ""));
}

/** The parameters after `?` of the current address. */
export function useQueryString(): URLSearchParams {
  const text = useLocation({ select: (location) => location.searchStr });
  return useMemo(() => new URLSearchParams(text), [text]);
}

/** What follows the screen's name in the current address, such as a memory's id. */
export function useRouteId(): string | null {
  const params: { id?: string; _splat?: string } = useParams({ strict: false });
  return params.id || params._splat || null;
}
