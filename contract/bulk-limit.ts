/** Tasks of one bulk request: more are left to the next one. */
export const MAX_BULK_TASKS = 500;
