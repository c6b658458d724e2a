import type { TriggerKind } from "./triggers.ts";

/** A trigger that a person can add, and the words that people use for it. */
export interface TriggerChoice {
  kind: Exclude<TriggerKind, "manual">;
  label: string;
  text: string;
  synonyms: readonly string[];
}

export const TRIGGER_CHOICES: readonly TriggerChoice[] = [
  {
    kind: "endpoint",
    label: "Endpoint",
    text: "A program calls a URL",
    synonyms: ["api", "rest", "url", "call", "http trigger", "request"],
  },
  {
    kind: "webhook",
    label: "Webhook",
    text: "Another service sends an event",
    synonyms: ["hook", "event", "push", "github", "stripe", "callback"],
  },
  {
    kind: "schedule",
    label: "Schedule",
    text: "At set times",
    synonyms: [
      "cron",
      "timer",
      "interval",
      "every",
      "daily",
      "hourly",
      "weekly",
      "monthly",
      "morning",
      "recurring",
    ],
  },
  {
    kind: "form",
    label: "Form",
    text: "A person fills in a page",
    synonyms: ["questionnaire", "input", "submission", "page"],
  },
  {
    kind: "chat",
    label: "Chat",
    text: "A person writes a message",
    synonyms: ["widget", "chatbot", "bot", "conversation", "message", "support", "embed"],
  },
  {
    kind: "email",
    label: "Mailbox",
    text: "An email arrives",
    synonyms: ["imap", "inbox", "mail", "email", "e-mail", "incoming mail", "gmail", "outlook"],
  },
  {
    kind: "rss",
    label: "Feed",
    text: "An RSS or Atom feed has news",
    synonyms: ["rss", "atom", "news", "blog", "podcast", "poll"],
  },
  {
    kind: "app",
    label: "App",
    text: "Something happens in an app",
    synonyms: ["integration", "connector", "service"],
  },
];
