// Without zod, which is most of the code of a sandbox that imports it.

/** What one attempt of a step keeps. */
export const MAX_LOG_LINES = 200;
export const MAX_LOG_BYTES = 64 * 1024;
/** Per message; the rest of it is cut. */
export const MAX_LOG_MESSAGE_CHARACTERS = 8_192;
