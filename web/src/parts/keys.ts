import { t } from "../i18n";

const MAC = /mac|iphone|ipad/i.test(navigator.userAgent);

/** The key that commands are given with, as it is printed on the person's keyboard. */
export const ctrl = (): string => (MAC ? "⌘" : t("key.ctrl"));
