import type { SqlValue, Statement } from "../storage/db.ts";

/**
 * Revokes the API keys that `$userId` created and the apps that they connected, in the workspaces that `where` selects by
 * `owner_id`: a person who left a workspace must not keep a way in. The keys of service accounts stay.
 */
export function revokeCredentials(
  where: string,
  { now, ...params }: { now: number } & Record<string, SqlValue>,
): Statement[] {
  return [
    {
      sql: `update api_key set revoked_at = $now where created_by = $userId and service_account_id is null
            and revoked_at is null and ${where}`,
      params: { ...params, now },
    },
    ...revokeConnectedApps(where, params),
  ];
}

/** Does nothing while the person is a member: the removal in the same write may have been refused. */
export function revokeCredentialsOfNonMember(
  member: { workspaceId: string; userId: string; now: number } & Record<string, SqlValue>,
): Statement[] {
  return revokeCredentials(
    `owner_id = $workspaceId and not exists
       (select 1 from member as m where m.workspace_id = $workspaceId and m.user_id = $userId)`,
    member,
  );
}

/** The part of `revokeCredentials` for connected apps. */
export function revokeConnectedApps(where: string, params: Record<string, SqlValue>): Statement[] {
  return [
    { sql: `delete from oauth_code where user_id = $userId and ${where}`, params },
    {
      sql: `delete from oauth_token where grant_id in (select id from oauth_grant where user_id = $userId and ${where})`,
      params,
    },
    { sql: `delete from oauth_grant where user_id = $userId and ${where}`, params },
  ];
}
