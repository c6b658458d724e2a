/** Loads the A2A SDK with the first A2A request, to save its memory otherwise. */
export async function loadSdk() {
  const [types, server, errors, legacy] = await Promise.all([
    import("@a2a-js/sdk"),
    import("@a2a-js/sdk/server"),
    import("@a2a-js/sdk/errors"),
    import("@a2a-js/sdk/compat/v0_3/server"),
  ]);
  return { types, server, errors, legacy };
}

export type Sdk = Awaited<ReturnType<typeof loadSdk>>;
