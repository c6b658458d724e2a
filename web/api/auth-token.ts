const TOKEN_KEY = "baton.token";
let onExpired: () => void = () => {};

/** The access token is kept in local storage, which only this origin can read, and never appears in a URL. */
export const authToken = {
  read: (): string | null => localStorage.getItem(TOKEN_KEY),
  save: (token: string): void => localStorage.setItem(TOKEN_KEY, token),
  remove: (): void => localStorage.removeItem(TOKEN_KEY),
  isStorageKey: (key: string): boolean => key === TOKEN_KEY,
  onExpired(listener: () => void): void {
    onExpired = listener;
  },
  /** Signs out when an error code says that the token is no longer valid; every transport reports its codes here. */
  checkErrorCode(code: string): void {
    if (code === "invalid_token" || code === "missing_token") onExpired();
  },
};

export function authHeaders(): Record<string, string> {
  const token = authToken.read();
  return token === null ? {} : { authorization: `Bearer ${token}` };
}
