import { connection } from "../api/connection.ts";
import { type ComponentType, lazy } from "react";

const KEY = "baton.reloaded";
/** Whoever comes back with the same failure so soon has another problem than an old page. */
const AGAIN_MS = 10_000;

/**
 * A part of the page that is loaded when it is first shown. After the service was updated, the parts of the page that
 * is open are gone: the new page is loaded in its place, at the same address; drafts are kept in this browser. While
 * the service is away it is waited for: loading the page anew would leave the person with the browser's own error.
 */
export function loadPart<Name extends string, Props>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
) {
  return lazy(async () => {
    try {
      return { default: (await load())[name] };
    } catch (error) {
      await connection.untilOnline();
      if (Date.now() - Number(sessionStorage.getItem(KEY)) < AGAIN_MS) throw error;
      sessionStorage.setItem(KEY, String(Date.now()));
      location.reload();
      return new Promise<never>(() => {});
    }
  });
}
