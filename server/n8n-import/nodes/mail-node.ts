import { at, textOf } from "../source/parameters.ts";
import { optionsLeft } from "./options-left.ts";
import type { Converted, Tools } from "./tools.ts";

export function sendMail(tools: Tools): Converted {
  const { parameters } = tools;
  if (textOf(parameters["operation"]) === "sendAndWait") {
    tools.note("Becomes an approval, which waits for the answer.");
    tools.check("Check who approves.");
    return {
      step: {
        type: "approval",
        message: tools.text(parameters["message"], "message") || tools.node.name,
        notifyEmail: tools.text(parameters["toEmail"], "toEmail"),
      },
    };
  }
  const connection = tools.connection("smtp");
  if (connection === undefined)
    tools.note("Sends through the mail server of this instance until you choose a connection.");
  const text = tools.text(parameters["text"], "text");
  const html = tools.text(parameters["html"], "html");
  if (textOf(parameters["attachments"] ?? at(parameters, "options", "attachments")) !== "")
    tools.check("Choose the attachments.");
  if (textOf(parameters["fromEmail"]) !== "")
    tools.check("The sender is that of the mail server or of the connection.");
  for (const copies of ["ccEmail", "bccEmail"])
    if (textOf(parameters[copies]) !== "") tools.check(`Not imported: ${copies}.`);
  optionsLeft(tools, ["attachments", "appendAttribution"]);
  const list = tools
    .text(parameters["toEmail"], "toEmail")
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
  return {
    step: {
      type: "email",
      to: list.length > 1 && !list.some((one) => one.includes("{{=")) ? list : list.join(", "),
      subject: tools.text(parameters["subject"], "subject") || "(no subject)",
      ...(html !== "" && { html }),
      ...(text !== "" && { text }),
      ...(html === "" && text === "" && { text: " " }),
      ...(connection !== undefined && { connection }),
    },
  };
}
