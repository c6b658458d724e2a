import type { Part } from "@a2a-js/sdk";

/** The text of a message; data as JSON, files by their URL. */
export function textOfParts(parts: readonly Part[]): string {
  return parts
    .map(({ content }) => {
      switch (content?.$case) {
        case "text":
        case "url":
          return content.value;
        case "data":
          return JSON.stringify(content.value);
        default:
          return "";
      }
    })
    .filter((text) => text !== "")
    .join("\n");
}
