import { type ComponentType, lazy } from "react";
import { connection } from "../api/connection.ts";

const KEY = "baton.reloaded";
/** A second failure within this time has another cause than an outdated page: it is thrown. */
const RELOAD_ONCE_MS = 10_000;

/**
 * A component that is loaded when it is first rendered. After an update of the service the chunks of an open page no
 * longer exist, so the page reloads at the same URL; drafts are kept in the browser. While the service is unreachable,
 * the reload waits: it would leave the user with the browser's error page.
 */
export function lazyComponent<Name extends string, Props>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
) {
  return lazy(async () => {
    try {
      return { default: (await load())[name] };
    } catch (error) {
      await connection.untilOnline();
      if (Date.now() - Number(sessionStorage.getItem(KEY)) < RELOAD_ONCE_MS) throw error;
      sessionStorage.setItem(KEY, String(Date.now()));
      location.reload();
      return new Promise<never>(() => {});
    }
  });
}
