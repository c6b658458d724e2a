import type { SecretBox } from "../security/secret-box.ts";

/** A secret is bound to its owner and name: a row copied to another place does not open there. */
export function sealValue(box: SecretBox, ownerId: string, name: string, value: string): string {
  return box.seal(value, contextOf(ownerId, name));
}

export function openValue(box: SecretBox, ownerId: string, name: string, sealed: string): string {
  return box.open(sealed, contextOf(ownerId, name));
}

function contextOf(ownerId: string, name: string): string {
  return `variable:${ownerId}:${name}`;
}
