import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import { authorizeConnection } from "../../api/connections.ts";
import { onSignIn, openSignInWindow } from "./sign-in-window.ts";

export interface SignIn {
  /** `idle`: not started. `waiting`: the user signs in at the service. */
  state: "idle" | "starting" | "waiting";
  /** The address of the sign-in, for a link: the window may be blocked or closed. */
  url: string | undefined;
  isBlocked: boolean;
  problem: string | undefined;
  /** Opens the window. `connection` gives the id, and may create the connection first. */
  start: (connection: () => Promise<string>) => void;
  cancel: () => void;
}

const IDLE = { state: "idle", url: undefined, isBlocked: false, problem: undefined } as const;

/** Signs in at a service in a window of its own; this page stays as it is. */
export function useSignIn(onConnected: (connectionId: string) => void): SignIn {
  const client = useQueryClient();
  const [shown, setShown] = useState<Omit<SignIn, "start" | "cancel">>(IDLE);
  const waitingFor = useRef<string>(undefined);
  const connected = useRef(onConnected);
  connected.current = onConnected;
  useEffect(
    () =>
      onSignIn(({ connectionId, problem }) => {
        void client.invalidateQueries({ queryKey: ["connections"] });
        void client.invalidateQueries({ queryKey: ["app catalogue"] });
        const id = waitingFor.current;
        if (id === undefined || (connectionId !== undefined && connectionId !== id)) return;
        waitingFor.current = undefined;
        setShown({ ...IDLE, problem });
        if (problem === undefined) connected.current(id);
      }),
    [client],
  );

  function start(connection: () => Promise<string>): void {
    const opened = openSignInWindow();
    setShown({ ...IDLE, state: "starting" });
    void (async () => {
      try {
        const id = await connection();
        const url = await authorizeConnection(id);
        waitingFor.current = id;
        if (opened !== undefined) opened.location.href = url;
        setShown({ state: "waiting", url, isBlocked: opened === undefined, problem: undefined });
      } catch (error) {
        opened?.close();
        setShown({ ...IDLE, problem: messageOf(error) });
      }
    })();
  }

  function cancel(): void {
    waitingFor.current = undefined;
    setShown(IDLE);
  }
  return { ...shown, start, cancel };
}
