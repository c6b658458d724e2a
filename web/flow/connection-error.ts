/** A credential was refused: a repaired connection is the fix. */
export function isConnectionError(error: unknown): boolean {
  return (
    typeof error === "object" &&
    error !== null &&
    "code" in error &&
    error.code === "connection_authorization_required"
  );
}
