import type { PageQuery } from "../../contract/api.ts";
import { toScopes } from "../endpoints/api-key.sql.ts";
import { ACCESS_SCOPES, type AccessScope } from "../../contract/keys.ts";
import { type ResultPage, toResultPage } from "../lib/result-page.ts";
import type { Use } from "../lib/use-recorder.ts";
import type { Db, Row, SqlParams, Statement } from "../storage/db.ts";
import { throwNotFoundOrForbidden } from "../storage/ownership.ts";
import { AFTER_EVERY_ID } from "../storage/paging.ts";
import { recordUses } from "../storage/record-uses.ts";

/** What a user allowed one client to do: a connected app, and the family of its tokens. */
export interface GrantRecord {
  id: string;
  /** The workspace in which the app acts. */
  ownerId: string;
  /** The person who allowed it. */
  userId: string;
  clientId: string;
  clientName: string;
  /** Host or scheme to which the consent returned. */
  target: string;
  scopes: readonly AccessScope[];
  /** The audience of its tokens. */
  resource: string;
  createdAt: number;
  lastUsedAt: number | null;
  /** When its newest refresh token expires. */
  expiresAt: number;
}

export interface NewTokens {
  access: { hash: string; expiresAt: number };
  refresh: { hash: string; expiresAt: number };
}

export interface RefreshToken {
  grant: GrantRecord;
  expiresAt: number;
}

export type GrantStore = ReturnType<typeof createGrantStore>;

/** More end the oldest one, so that an app that connects again and again adds no rows without bound. */
const MAX_GRANTS = 200;
const PRUNE_ROWS = 100;
/** Per kind and grant, so that an app that refreshes in a loop adds a limited number of rows. */
const MAX_TOKENS = 100;
const COLUMNS =
  "id, owner_id, user_id, client_id, client_name, target, scopes, resource, created_at, last_used_at, expires_at";
const GRANT_COLUMNS = COLUMNS.split(", ")
  .map((name) => `oauth_grant.${name}`)
  .join(", ");
/** The workspace exists and is not being deleted, and the person who allowed it is not disabled and may run something there. */
const OWNED = `join workspace on workspace.id = oauth_grant.owner_id and workspace.deleted_at is null
  join account on account.id = oauth_grant.user_id and account.disabled_at is null
  join member on member.workspace_id = oauth_grant.owner_id and member.user_id = oauth_grant.user_id and member.role <> 'viewer'`;

export function createGrantStore(db: Db) {
  /** Deletes grants with their tokens; the last statement returns the grants. */
  const deleteGrants = (where: string, params: SqlParams): Statement[] => [
    { sql: `delete from oauth_token where grant_id in (select id from oauth_grant where ${where})`, params },
    { sql: `delete from oauth_grant where ${where} returning id`, params },
  ];
  const prune = (now: number): Statement[] => [
    {
      sql: `delete from oauth_token where hash in
              (select hash from oauth_token where expires_at <= $now order by expires_at limit ${PRUNE_ROWS})`,
      params: { now },
    },
    ...deleteGrants(
      `id in (select id from oauth_grant where expires_at <= $now order by expires_at limit ${PRUNE_ROWS})`,
      { now },
    ),
  ];

  return {
    /** False when the token was used before, also a moment ago in another process. */
    async rotate(oldHash: string, grantId: string, tokens: NewTokens, now: number): Promise<boolean> {
      const [replaced] = await db.batch([
        {
          sql: `update oauth_token set replaced_by = $newHash where hash = $oldHash and replaced_by is null returning hash`,
          params: { oldHash, newHash: tokens.refresh.hash },
        },
        ...insertTokens(
          grantId,
          tokens,
          "exists (select 1 from oauth_token where hash = $oldHash and replaced_by = $newHash)",
          { oldHash, newHash: tokens.refresh.hash },
        ),
        {
          sql: "update oauth_grant set expires_at = $expiresAt where id = $grantId and expires_at < $expiresAt",
          params: { grantId, expiresAt: tokens.refresh.expiresAt },
        },
        ...["access", "refresh"].map((kind) => ({
          sql: `delete from oauth_token where hash in
                  (select hash from oauth_token where grant_id = $grantId and kind = $kind
                   order by (case when replaced_by is null then 0 else 1 end), expires_at desc limit 1000 offset ${MAX_TOKENS})`,
          params: { grantId, kind },
        })),
        ...prune(now),
      ]);
      return replaced?.length === 1;
    },

    /** Turns a code into a grant with its first tokens. False when the code was used or the account is being deleted. */
    async redeem(codeHash: string, grant: GrantRecord, tokens: NewTokens): Promise<boolean> {
      const [redeemed] = await db.batch([
        {
          sql: `update oauth_code set grant_id = $grantId where hash = $codeHash and grant_id is null and expires_at > $now
                and exists (select 1 from workspace where workspace.id = owner_id and deleted_at is null) returning hash`,
          params: { codeHash, grantId: grant.id, now: grant.createdAt },
        },
        {
          sql: `insert into oauth_grant (${COLUMNS})
                select cast($id as text), owner_id, user_id, client_id, client_name, cast($target as text), scopes, resource,
                  cast($createdAt as bigint), null, cast($expiresAt as bigint)
                from oauth_code where hash = $codeHash and grant_id = $id`,
          params: {
            codeHash,
            id: grant.id,
            target: grant.target,
            createdAt: grant.createdAt,
            expiresAt: grant.expiresAt,
          },
        },
        ...insertTokens(grant.id, tokens, "exists (select 1 from oauth_grant where id = $grantId)"),
        ...deleteGrants(
          `id in
             (select id from oauth_grant where user_id = $userId order by id desc limit 1000 offset ${MAX_GRANTS})`,
          { userId: grant.userId },
        ),
        ...prune(grant.createdAt),
      ]);
      return redeemed?.length === 1;
    },

    async findRefresh(hash: string): Promise<RefreshToken | undefined> {
      const [row] = await db.query(
        `select ${GRANT_COLUMNS}, oauth_token.expires_at as token_expires_at from oauth_token
         join oauth_grant on oauth_grant.id = oauth_token.grant_id ${OWNED}
         where oauth_token.hash = $hash and oauth_token.kind = 'refresh'`,
        { hash },
      );
      return row === undefined
        ? undefined
        : { grant: toGrant(row), expiresAt: Number(row["token_expires_at"]) };
    },

    async findAccess(hash: string, now: number): Promise<GrantRecord | undefined> {
      const [row] = await db.query(
        `select ${GRANT_COLUMNS} from oauth_token join oauth_grant on oauth_grant.id = oauth_token.grant_id ${OWNED}
         where oauth_token.hash = $hash and oauth_token.kind = 'access' and oauth_token.expires_at > $now`,
        { hash, now },
      );
      return row === undefined ? undefined : toGrant(row);
    },

    /** Ends all tokens of the grant. */
    async end(id: string): Promise<void> {
      await db.batch(deleteGrants("id = $id", { id }));
    },

    /** Ends the grant of one token, if it belongs to this client. */
    async endByToken(hash: string, clientId: string): Promise<void> {
      await db.batch([
        {
          sql: `delete from oauth_token where hash = $hash and oauth_token.kind = 'access'
                and grant_id in (select id from oauth_grant where client_id = $clientId)`,
          params: { hash, clientId },
        },
        ...deleteGrants(
          "client_id = $clientId and id = (select grant_id from oauth_token where hash = $hash and oauth_token.kind = 'refresh')",
          { hash, clientId },
        ),
      ]);
    },

    async list(userId: string, now: number, { limit, cursor }: PageQuery): Promise<ResultPage<GrantRecord>> {
      const rows = await db.query(
        `select ${COLUMNS} from oauth_grant
         where user_id = $userId and expires_at > $now and id < $cursor order by id desc limit $limit`,
        { userId, now, cursor: cursor ?? AFTER_EVERY_ID, limit: limit + 1 },
      );
      return toResultPage(rows.map(toGrant), limit, ({ id }) => id);
    },

    /** Throws `connected_app_not_found` or `forbidden`. */
    async disconnect(userId: string, id: string): Promise<void> {
      const results = await db.batch(deleteGrants("id = $id and user_id = $userId", { id, userId }));
      if (results.at(-1)?.length !== 1)
        await throwNotFoundOrForbidden(db, "oauth_grant", "connected_app", id);
    },

    /** Deletes up to `limit` grants of this owner; returns how many. */
    async deleteOwned(ownerId: string, limit: number): Promise<number> {
      const results = await db.batch(
        deleteGrants(
          "id in (select id from oauth_grant where owner_id = $ownerId order by id limit $limit)",
          {
            ownerId,
            limit,
          },
        ),
      );
      return results.at(-1)?.length ?? 0;
    },

    recordUses: (uses: ReadonlyMap<string, Use>) => recordUses(db, "oauth_grant", uses),
  };
}

/** Both tokens, if `condition` holds: the statement before may have lost a race. */
function insertTokens(
  grantId: string,
  tokens: NewTokens,
  condition: string,
  conditionParams: Record<string, string> = {},
): Statement[] {
  return (["access", "refresh"] as const).map((kind) => ({
    sql: `insert into oauth_token (hash, grant_id, kind, expires_at)
          select cast($hash as text), cast($grantId as text), cast($kind as text), cast($expiresAt as bigint) where ${condition}`,
    params: { ...tokens[kind], ...conditionParams, kind, grantId },
  }));
}

function toGrant(row: Row): GrantRecord {
  return {
    id: row["id"] as string,
    ownerId: row["owner_id"] as string,
    userId: row["user_id"] as string,
    clientId: row["client_id"] as string,
    clientName: row["client_name"] as string,
    target: row["target"] as string,
    scopes: toScopes(row["scopes"], ACCESS_SCOPES),
    resource: row["resource"] as string,
    createdAt: Number(row["created_at"]),
    lastUsedAt: row["last_used_at"] === null ? null : Number(row["last_used_at"]),
    expiresAt: Number(row["expires_at"]),
  };
}
