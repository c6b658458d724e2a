import * as z from "zod";

export const runFileParamsSchema = z.object({ id: z.string() });
