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
  /** The person came back to this page before the sign-in ended: its window may be closed. */
  isLeft: boolean;
  problem: string | undefined;
  /** Opens the window. `connection` gives the id, and may create the connection first. */
  start: (connection: () => Promise<string>) => void;
  /** Opens the window once more, for the same connection. */
  repeat: () => void;
  cancel: () => void;
}

const IDLE = { state: "idle", url: undefined, isBlocked: false, isLeft: false, problem: undefined } as const;

/** Signs in at a service in a separate window; this page stays as it is. `onAbandoned`: it was refused or canceled. */
export function useSignIn(onConnected?: (connectionId: string) => void, onAbandoned?: () => void): SignIn {
  const client = useQueryClient();
  const [shown, setShown] = useState<Omit<SignIn, "start" | "repeat" | "cancel">>(IDLE);
  const waitingFor = useRef<{ id: string; state: string | null }>(undefined);
  const callbacks = useRef({ onConnected, onAbandoned });
  callbacks.current = { onConnected, onAbandoned };
  useEffect(
    () =>
      onSignIn(({ state, problem }) => {
        void client.invalidateQueries({ queryKey: ["connections"] });
        void client.invalidateQueries({ queryKey: ["app catalogue"] });
        const awaited = waitingFor.current;
        // Another page may wait for another sign-in.
        if (awaited === undefined || awaited.state !== state) return;
        waitingFor.current = undefined;
        setShown({ ...IDLE, problem });
        if (problem === undefined) callbacks.current.onConnected?.(awaited.id);
        else callbacks.current.onAbandoned?.();
      }),
    [client],
  );

  const isWaiting = shown.state === "waiting";
  useEffect(() => {
    if (!isWaiting) return undefined;
    // The policy that separates the window hides from this page whether it is open; the focus returns when it closes.
    const onFocus = (): void => setShown((before) => ({ ...before, isLeft: true }));
    addEventListener("focus", onFocus);
    return () => removeEventListener("focus", onFocus);
  }, [isWaiting]);

  function start(connection: () => Promise<string>): void {
    const opened = openSignInWindow();
    setShown({ ...IDLE, state: "starting" });
    void (async () => {
      try {
        const id = await connection();
        const url = await authorizeConnection(id);
        waitingFor.current = { id, state: new URL(url).searchParams.get("state") };
        if (opened !== undefined) opened.location.href = url;
        setShown({ ...IDLE, state: "waiting", url, isBlocked: opened === undefined });
      } catch (error) {
        opened?.close();
        setShown({ ...IDLE, problem: messageOf(error) });
        callbacks.current.onAbandoned?.();
      }
    })();
  }

  function repeat(): void {
    const awaited = waitingFor.current;
    if (awaited !== undefined) start(() => Promise.resolve(awaited.id));
  }

  function cancel(): void {
    waitingFor.current = undefined;
    setShown(IDLE);
    callbacks.current.onAbandoned?.();
  }
  return { ...shown, start, repeat, cancel };
}
