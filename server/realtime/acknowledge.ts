import type * as z from "zod";
import type { Acknowledge, Refused } from "../../contract/realtime.ts";
import { AppError } from "../lib/errors.ts";

/** Turns anything thrown into a socket's acknowledgement, as http/errors.ts does into a status. */
export function refusal(thrown: unknown, onError: (error: unknown) => void): Refused {
  if (thrown instanceof AppError) return { ok: false, error: thrown.code, message: thrown.message };
  onError(thrown);
  return { ok: false, error: "internal_error", message: "Something went wrong on our side." };
}

type Handle<Request, Answer extends object> = (
  request: Request,
  acknowledge: Acknowledge<Answer>,
) => Promise<void>;

/** A handler of a client's event: the request checked, the answer or the refusal acknowledged. */
export function createEventHandler(onError: (error: unknown) => void) {
  return <Request, Answer extends object>(schema: z.ZodType<Request>, handle: Handle<Request, Answer>) =>
    (request: unknown, given?: Acknowledge<Answer>): Promise<void> => {
      // A client that sends only a callback has left the request out.
      const leftOut = typeof request === "function";
      const acknowledge = given ?? (leftOut ? (request as Acknowledge<Answer>) : () => undefined);
      return answer(schema, leftOut ? undefined : request, handle, acknowledge).catch((error: unknown) =>
        acknowledge(refusal(error, onError)),
      );
    };
}

async function answer<Request, Answer extends object>(
  schema: z.ZodType<Request>,
  request: unknown,
  handle: Handle<Request, Answer>,
  acknowledge: Acknowledge<Answer>,
): Promise<void> {
  const parsed = schema.safeParse(request);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
    throw new AppError("invalid_request", `The request is not valid: ${where}${issue?.message ?? ""}.`);
  }
  await handle(parsed.data, acknowledge);
}

/** One after the other: somebody who leaves and joins at once is in the room afterwards. */
export function createSequence() {
  let before: Promise<void> = Promise.resolve();
  return (work: () => Promise<void>): Promise<void> => {
    const done = before.then(work);
    before = done.catch(() => undefined);
    return done;
  };
}
