/** Binds a secret variable to its owner and name: a row copied to another owner or name cannot be decrypted. */
export function secretContext(ownerId: string, name: string): string {
  return `variable:${ownerId}:${name}`;
}

/** Binds the signing secret of an event subscription to its row. */
export function eventSecretContext({ ownerId, id }: { ownerId: string; id: string }): string {
  return `event_subscription:${ownerId}:${id}`;
}

/** Binds the signing secret of a webhook to its row. */
export function signatureContext({ ownerId, id }: { ownerId: string; id: string }): string {
  return `webhook:${ownerId}:${id}`;
}

/** Binds a sealed column of an MCP server to its row. */
export function mcpServerContext(
  { ownerId, id }: { ownerId: string; id: string },
  column: "headers" | "oauth" | "pending",
): string {
  return `mcp-server:${ownerId}:${id}:${column}`;
}

/** Binds the secrets of a trigger to their row. */
export function triggerContext({ ownerId, id }: { ownerId: string; id: string }): string {
  return `trigger:${ownerId}:${id}`;
}

/** Binds the credentials of an A2A push notification to their row. */
export function pushConfigContext({ ownerId, id }: { ownerId: string; id: string }): string {
  return `a2a push ${ownerId} ${id}`;
}

/** Binds a sealed column of a connection to its row. */
export function connectionContext(
  { ownerId, id }: { ownerId: string; id: string },
  column: "secrets" | "tokens" | "pending",
): string {
  return `connection:${ownerId}:${id}:${column}`;
}

/** Binds the secret of an authenticator app to its user. */
export function secondFactorContext(userId: string): string {
  return `second_factor:${userId}`;
}

/** Binds the secret of an instance's OAuth client to its app. */
export function oauthClientContext(app: string): string {
  return `app_oauth_client:${app}`;
}
