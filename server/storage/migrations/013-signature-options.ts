import type { Migration } from "../migrate.ts";

/** Prefix, algorithm, encoding and timestamp header of the `hmac` scheme, as JSON. */
export const signatureOptions: Migration = {
  version: 13,
  name: "signature options",
  statements: ["alter table webhook add column signature_options text"],
};
