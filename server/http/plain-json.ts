import type { FastifyReply } from "fastify";

/** For answers that hold outputs: megabytes of any JSON, which a schema would walk to learn nothing. */
export function sendPlain(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply.status(status).type("application/json; charset=utf-8").serializer(JSON.stringify).send(body);
}
