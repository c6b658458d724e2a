/** In a file without zod: the chat page is small because it loads none. */
export const MAX_CHAT_MESSAGE_LENGTH = 8000;
