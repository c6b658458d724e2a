import { hash } from "node:crypto";

/** RFC 7636: 43 to 128 unreserved characters. */
export function isVerifier(text: string): boolean {
  return /^[\w.~-]{43,128}$/.test(text);
}

/** The S256 challenge; `plain` is not supported. */
export function challengeOf(verifier: string): string {
  return hash("sha256", verifier, "base64url");
}
