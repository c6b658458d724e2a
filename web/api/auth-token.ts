import { localValues } from "./browser-storage.ts";

const TOKEN_KEY = "baton.token";
const WORKSPACE_KEY = "baton.workspace";
let onExpired: () => void = () => {};

/** The access token is kept in local storage, which only this origin can read, and never appears in a URL. */
export const authToken = {
  read: (): string | null => localValues.read(TOKEN_KEY),
  save: (token: string): void => localValues.save(TOKEN_KEY, token),
  remove(): void {
    localValues.remove(TOKEN_KEY);
    chosenWorkspace.save(null);
  },
  isStorageKey: (key: string): boolean => key === TOKEN_KEY || key === WORKSPACE_KEY,
  onExpired(listener: () => void): void {
    onExpired = listener;
  },
  /** Signs out when an error code says that the token is no longer valid; every transport reports its codes here. */
  checkErrorCode(code: string): void {
    if (code === "invalid_token" || code === "missing_token") onExpired();
  },
};

/** The workspace whose records the page shows; null is the personal one. All tabs share it. */
export const chosenWorkspace = {
  read: (): string | null => localValues.read(WORKSPACE_KEY),
  save(id: string | null): void {
    if (id === null) localValues.remove(WORKSPACE_KEY);
    else localValues.save(WORKSPACE_KEY, id);
  },
};

export function authHeaders(): Record<string, string> {
  const token = authToken.read();
  const workspace = chosenWorkspace.read();
  return {
    ...(token !== null && { authorization: `Bearer ${token}` }),
    ...(workspace !== null && { "x-workspace": workspace }),
  };
}
