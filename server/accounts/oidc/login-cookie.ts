import { AppError } from "../../lib/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import type { SecretBox } from "../../security/secret-box.ts";
import type { LoginAttempt } from "./oidc-provider.ts";

const NAME = "baton_oidc";
const LIFETIME_MS = 10 * 60_000;
const CONTEXT = "oidc login attempt";

/**
 * Keeps a login attempt in the browser that began it: only there can the provider's response be used. Sealed, so that
 * nothing needs to be stored for strangers. `pageUrl` is the address of the page.
 */
export function createLoginCookie(box: SecretBox, clock: Pick<Clock, "now">, pageUrl: string) {
  const { pathname, protocol } = new URL(pageUrl);
  const path = `${pathname.replace(/\/$/, "")}/api/auth/oidc`;
  const attributes = `Path=${path}; HttpOnly; SameSite=Lax${protocol === "https:" ? "; Secure" : ""}`;

  return {
    write(attempt: LoginAttempt): string {
      const text = JSON.stringify({ ...attempt, expiresAt: clock.now() + LIFETIME_MS });
      return `${NAME}=${box.seal(text, CONTEXT)}; Max-Age=${LIFETIME_MS / 1000}; ${attributes}`;
    },

    clear: `${NAME}=; Max-Age=0; ${attributes}`,

    /** The attempt of this browser; undefined when there is none, or it has expired. */
    read(header: string | undefined): LoginAttempt | undefined {
      const entry = (header ?? "").split(/; */).find((each) => each.startsWith(`${NAME}=`));
      const sealed = entry?.slice(NAME.length + 1);
      if (!sealed) return undefined;
      try {
        const attempt = JSON.parse(box.open(sealed, CONTEXT)) as LoginAttempt & { expiresAt: number };
        return attempt.expiresAt > clock.now() ? attempt : undefined;
      } catch (error) {
        if (error instanceof AppError && error.code === "secret_unreadable") return undefined;
        throw error;
      }
    },
  };
}
