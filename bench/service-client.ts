// Responses are not validated here; the contract tests do that.
// oxlint-disable-next-line no-explicit-any
type Json = Record<string, any>;

export interface ServiceClient {
  token: string;
  login: Record<string, string>;
  apiKey: Record<string, string>;
  post(path: string, body: unknown): Promise<Json>;
  patch(path: string, body: unknown): Promise<Json>;
  get(path: string): Promise<Json>;
  /** Creates a workflow with an enabled endpoint and returns its id. */
  publish(name: string, graph: object, sync: boolean): Promise<string>;
}

/** Signs in a user, creating the account first if needed, and creates an API key. */
export async function signIn(address: string, name = "bench"): Promise<ServiceClient> {
  const account = { email: `${name}@example.com`, password: "bench bench bench" };
  const send = async (
    path: string,
    method: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Json> => {
    const response = await fetch(address + path, {
      method,
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await response.json()) as Json;
  };
  let session = await send("/api/auth/login", "POST", account, {});
  if (session["ok"] !== true) session = await send("/api/auth/register", "POST", account, {});
  const token = String(session["token"]);
  const login = { authorization: `Bearer ${token}` };
  const change = async (method: string, path: string, body: unknown): Promise<Json> => {
    const response = await send(path, method, body, login);
    if (response["ok"] !== true) throw new Error(`${path}: ${JSON.stringify(response).slice(0, 500)}`);
    return response;
  };
  const post = (path: string, body: unknown): Promise<Json> => change("POST", path, body);
  const { rawKey } = await post("/api/keys", {});
  return {
    token,
    login,
    apiKey: { authorization: `Bearer ${rawKey}` },
    post,
    patch: (path, body) => change("PATCH", path, body),
    get: (path) => send(path, "GET", undefined, login),
    publish: async (name, metadata, sync) =>
      (await post("/api/workflows", { name, metadata, apiSettings: { enabled: true, sync } }))["workflow"]
        .id as string,
  };
}
