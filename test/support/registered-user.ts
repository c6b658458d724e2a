/** A user of a service process. */
export interface RegisteredUser {
  id: string;
  token: string;
  /** Changes when the service starts again on another port. */
  address: string;
  /** GET, or POST with a body; returns the parsed JSON, whatever the status. */
  call(path: string, body?: object): Promise<any>;
}

/** Registers the first user of the service at this address. */
export async function registerAt(address: string): Promise<RegisteredUser> {
  const user: RegisteredUser = {
    id: "",
    token: "",
    address,
    async call(path, body) {
      const response = await fetch(user.address + path, {
        method: body === undefined ? "GET" : "POST",
        headers: {
          "content-type": "application/json",
          ...(user.token && { authorization: `Bearer ${user.token}` }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      return response.json();
    },
  };
  const registered = await user.call("/api/auth/register", {
    email: "a@example.com",
    password: "four words of text",
  });
  return Object.assign(user, { id: registered.user.id as string, token: registered.token as string });
}
