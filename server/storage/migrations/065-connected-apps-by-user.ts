import type { Migration } from "../migrate.ts";

/** A person lists the apps that they connected, in whatever workspace these act. */
export const connectedAppsByUser: Migration = {
  version: 65,
  name: "connected apps by user",
  statements: ["create index oauth_grant_by_user on oauth_grant (user_id, id)"],
};
