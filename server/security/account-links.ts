import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";

export type LinkPurpose = "password_reset" | "email_confirmation";

export interface AccountLink {
  hash: string;
  userId: string;
  purpose: LinkPurpose;
  /** The address that the link was mailed to: its use confirms the address. Null when an operator printed it. */
  email: string | null;
  createdAt: number;
  expiresAt: number;
}

const HOUR_MS = 3_600_000;

/** The page of each link, how long it works, and how many may be valid at once. */
const LINKS = {
  password_reset: { path: "/reset-password", lifetimeMs: HOUR_MS, max: 5 },
  email_confirmation: { path: "/confirm-email", lifetimeMs: 24 * HOUR_MS, max: 10 },
} as const satisfies Record<LinkPurpose, object>;

export interface AccountLinksDeps {
  /** `insert` is false when the account has `max` valid links of this purpose. */
  store: { insert(link: AccountLink, max: number): Promise<boolean> };
  clock: Pick<Clock, "now">;
  /** Where people reach the page. Never taken from a request, whose Host header a stranger could choose. */
  pageUrl: string;
}

export type AccountLinks = ReturnType<typeof createAccountLinks>;

/** Single-use links that act for the person who receives them. The database holds only hashes. */
export function createAccountLinks({ store, clock, pageUrl }: AccountLinksDeps) {
  return {
    /** Undefined when too many links of this purpose are valid. `email`: the address it is mailed to. */
    async create(userId: string, purpose: LinkPurpose, email: string | null): Promise<string | undefined> {
      const { path, lifetimeMs, max } = LINKS[purpose];
      const token = randomBytes(32).toString("base64url");
      const createdAt = clock.now();
      const expiresAt = createdAt + lifetimeMs;
      const link = { hash: hashLinkToken(token), userId, purpose, email, createdAt, expiresAt };
      // In the fragment: browsers send it to no server, so no log and no Referer header has it.
      return (await store.insert(link, max)) ? `${pageUrl}${path}#token=${token}` : undefined;
    },
  };
}

export function hashLinkToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

export function invalidLink(): AppError {
  return new AppError("invalid_link", "This link has expired or was used before. Request a new one.");
}
