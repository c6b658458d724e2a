import {
  type Acknowledge,
  type FailedAcknowledgement,
  type SocketRequest,
  type SocketRequestName,
  socketRequests,
  type SocketResponse,
} from "../../contract/realtime.ts";
import { AppError } from "../lib/errors.ts";

/** The acknowledgement of a failed request; http/errors.ts is its counterpart for HTTP. */
export function refusal(thrown: unknown, onError: (error: unknown) => void): FailedAcknowledgement {
  if (thrown instanceof AppError) return { ok: false, error: thrown.code, message: thrown.message };
  onError(thrown);
  return { ok: false, error: "internal_error", message: "Internal error. The service log has the details." };
}

type Handle<Name extends SocketRequestName> = (
  request: SocketRequest<Name>,
  acknowledge: Acknowledge<SocketResponse<Name>>,
) => Promise<void>;

export interface EventHandlerDeps {
  /** Counts a request until the returned function is called. */
  begin(): () => void;
  onAnswered(): void;
  onError(error: unknown): void;
}

/** A handler of a client's request: validates the request, and acknowledges an error. */
export function createEventHandler({ begin, onAnswered, onError }: EventHandlerDeps) {
  return <Name extends SocketRequestName>(name: Name, handle: Handle<Name>) =>
    (request: unknown, given?: Acknowledge<SocketResponse<Name>>): Promise<void> => {
      // A client that sends only a callback omits the request.
      const isOmitted = typeof request === "function";
      const acknowledge =
        given ?? (isOmitted ? (request as Acknowledge<SocketResponse<Name>>) : () => undefined);
      const end = begin();
      return respond(name, isOmitted ? undefined : request, handle, acknowledge)
        .catch((error: unknown) => acknowledge(refusal(error, onError)))
        .finally(() => {
          end();
          onAnswered();
        });
    };
}

async function respond<Name extends SocketRequestName>(
  name: Name,
  request: unknown,
  handle: Handle<Name>,
  acknowledge: Acknowledge<SocketResponse<Name>>,
): Promise<void> {
  const parsed = socketRequests[name].request.safeParse(request);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
    throw new AppError("invalid_request", `The request is not valid: ${where}${issue?.message ?? ""}.`);
  }
  await handle(parsed.data as SocketRequest<Name>, acknowledge);
}

/** Runs requests one after the other: a client that leaves and joins at once is in the room afterwards. */
export function createSequence() {
  let last: Promise<void> = Promise.resolve();
  return (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}
