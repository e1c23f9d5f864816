import { isKey, t, type Key } from "../i18n";

/** Reasons with something in them that varies, or that have longer words of their own. */
const SHAPES: [RegExp, Key][] = [
  [/^learned from a message/, "review.learned"],
  [/^rejected before/, "review.before"],
  [/^contradicts/, "review.against"],
  [/^differs from the owner/, "review.owner"],
  [/^(?:differs from|would replace) what a person/, "review.kept"],
  [/^an end for what a person keeps/, "review.end"],
  [/^less sure/, "review.less"],
  [/^which one is meant/, "review.which"],
  [/^true again/, "review.again"],
  [/^importance below (?<a>[\d.]+) and older than (?<b>[\d.]+) days$/, "finding.unimportant"],
  [/^the same as /, "finding.same"],
  [/^confidence (?<a>[\d.]+) is below (?<b>[\d.]+)$/, "finding.faint"],
  [/^confidence (?<a>[\d.]+) to (?<b>[\d.]+)/, "finding.faded"],
  [/^an episode older than (?<n>[\d.]+) days$/, "reason.old_message"],
  [/^merged with (?<n>\d+) of the same value$/, "reason.merged_with"],
  [/^moved to (?<name>.+)$/, "reason.moved_to"],
  [/^removed from (?<name>.+)$/, "reason.removed_from"],
  [/^seen (?<n>\d+) times$/, "reason.seen_times"],
  [/^undone: back to version (?<n>\d+)$/, "reason.undone_back_to"],
];

/** Why the server did something, in the page's language; what a person wrote stays as it is. */
export function because(reason: string): string {
  const exact = `reason.${reason.toLowerCase().replace(/[^a-z]+/g, "_")}`;
  if (isKey(exact)) return t(exact);
  for (const [shape, key] of SHAPES) {
    const match = shape.exec(reason);
    if (match) return t(key, match.groups);
  }
  return reason;
}
