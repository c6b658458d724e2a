/** The button that signs in: a connection that stopped working was connected before. */
export function signInLabel({ status, problem }: { status: string; problem: unknown }): string {
  return status === "authorization_needed" && problem === null ? "Connect" : "Reconnect";
}

/** A credential was refused: a repaired connection is the fix. */
export function isConnectionError(error: unknown): boolean {
  return (
    typeof error === "object" &&
    error !== null &&
    "code" in error &&
    error.code === "connection_authorization_required"
  );
}
