import { expect } from "vitest";

export interface SamplePrompt {
  prompt: string;
  /** `id type`, in order; the inside of a loop in brackets. */
  steps: string;
  edges?: string;
  /** Fields of steps, by id. */
  fields?: Record<string, Record<string, unknown>>;
  notices?: string[];
}

/** Prompts as users write them, each with the expected graph. */
export const samplePrompts: SamplePrompt[] = [
  {
    prompt: "Fetch https://api.example.com/orders, summarise the result and save it to reports/summary.txt",
    steps: "fetch http, summarise llm, save file",
    edges: "fetch→summarise, summarise→save",
    fields: {
      fetch: { method: "GET", url: "https://api.example.com/orders" },
      summarise: { prompt: "Summarise the result.\n\n{{steps.fetch.output}}" },
      save: { action: "write", path: "reports/summary.txt", content: "{{steps.summarise.output}}" },
    },
  },
  {
    prompt:
      "Create a workflow that gets the weather from https://api.weather.example/today, translates it to French and emails it to anna@example.com.",
    steps: "get http, translate llm, email email",
    edges: "get→translate, translate→email",
    fields: {
      translate: { prompt: "Translate it to French.\n\n{{steps.get.output}}" },
      email: { to: "anna@example.com", subject: "Translation", text: "{{steps.translate.output}}" },
    },
  },
  {
    prompt:
      "Download https://news.example.com/feed.json. For each article, summarize it in one sentence. Then post the summaries to https://hooks.slack.com/services/T/B/X",
    steps: "download http, each-article foreach [summarize llm], post http",
    edges: "download→each-article, each-article→post",
    fields: {
      "each-article": { items: "{{steps.download.output}}" },
      summarize: { prompt: "Summarize it in one sentence.\n\n{{item}}" },
      post: { method: "POST", body: { text: expect.stringContaining("{{steps.each-article.output}}") } },
    },
  },
  {
    prompt:
      "When a new order arrives, if the total is over 1000, ask the manager for approval. Then POST it to https://erp.example.com/orders.",
    steps: "check condition, approve approval, post http",
    edges: "check(true)→approve, approve→post, check(false)→post",
    fields: {
      check: { left: "{{input.total}}", operator: "gt", right: 1000 },
      post: { method: "POST", body: "{{input}}" },
    },
    notices: ["needs_trigger"],
  },
  {
    prompt:
      "Classify the sentiment of the review. If the sentiment is negative, email support@example.com, otherwise save it to reviews/good.txt.",
    steps: "classify llm, check condition, email email, save file",
    edges: "classify→check, check(true)→email, check(false)→save",
    fields: {
      check: { left: "{{steps.classify.output}}", operator: "contains", right: "negative" },
      save: { content: "{{input}}", path: "reviews/good.txt" },
    },
  },
  {
    prompt: "Wait 5 minutes, then call https://example.com/ping",
    steps: "wait delay, call http",
    edges: "wait→call",
    fields: { wait: { seconds: 300 } },
  },
  {
    prompt:
      "Every morning at 9am, fetch https://api.example.com/sales and https://api.example.com/costs, compare them and email the comparison to boss@example.com",
    steps: "fetch http, fetch-2 http, compare llm, email email",
    edges: "fetch→compare, fetch-2→compare, compare→email",
    fields: { compare: { prompt: "Compare them.\n\n{{steps.fetch.output}}\n\n{{steps.fetch-2.output}}" } },
    notices: ["needs_trigger"],
  },
  {
    prompt: "When someone chats, summarise the message",
    steps: "summarise llm",
    notices: ["needs_trigger"],
  },
  {
    prompt: "When there is a new item in the feed https://example.com/feed.xml, save it to news.json",
    steps: "save file",
    notices: ["needs_trigger"],
  },
  {
    prompt: "Read notes.txt, extract the action items and append them to todo.md",
    steps: "read-file file, extract llm, append file",
    fields: {
      "read-file": { action: "read" },
      append: { action: "append", content: "{{steps.extract.output}}\n" },
    },
  },
  {
    prompt:
      "Draft a blog post about gardening, ask me to approve it, and once approved publish it to https://blog.example.com/api/posts",
    steps: "draft llm, approve approval, publish http",
    edges: "draft→approve, approve→publish",
    fields: {
      draft: { prompt: "Draft a blog post about gardening." },
      approve: { message: expect.stringContaining("{{steps.draft.output}}") },
      publish: { method: "POST", body: { post: "{{steps.draft.output}}" } },
    },
  },
  {
    prompt: "Ask the documents what the refund policy is and email the answer to the customer",
    steps: "ask-documents document_query, email email",
    fields: {
      "ask-documents": { query: "what the refund policy is" },
      email: { to: "{{input.email}}", text: "{{steps.ask-documents.output.answer}}" },
    },
  },
  {
    prompt: 'For every customer in the list, send an email saying "Happy new year"',
    steps: "each-customer foreach [email email]",
    fields: {
      "each-customer": { items: "{{input.customers}}" },
      email: { to: "{{item.email}}", text: "Happy new year" },
    },
  },
  {
    prompt: "Fetch https://status.example.com/api. If the request fails, notify ops@example.com.",
    steps: "fetch http, email email",
    edges: "fetch(error)→email",
    fields: { email: { to: "ops@example.com", text: expect.stringContaining("{{steps.fetch.error}}") } },
  },
  {
    prompt:
      "1. Get https://api.example.com/users/{id}\n2. Translate the bio to German\n3. Save the translation as bio-de.txt",
    steps: "get http, translate llm, save file",
    fields: { get: { url: "https://api.example.com/users/{{input.id}}" }, save: { path: "bio-de.txt" } },
  },
  {
    prompt:
      "Get the list of issues from https://api.example.com/issues, count them and save the count to count.txt",
    steps: "get http, count transform, save file",
    fields: {
      count: { expression: "$count(steps.get.output)" },
      save: { content: "{{steps.count.output}}" },
    },
  },
  {
    prompt:
      'Please fetch https://example.com/a.json and if the status is "open" then send it to https://example.com/b else wait 10 seconds and delete https://example.com/c',
    steps: "fetch http, check condition, send http, wait delay, delete http",
    edges: "fetch→check, check(true)→send, check(false)→wait, wait→delete",
    fields: {
      check: { left: "{{steps.fetch.output.status}}", operator: "eq", right: "open" },
      send: { method: "POST", body: "{{steps.fetch.output}}" },
      delete: { method: "DELETE" },
    },
  },
  {
    prompt: "Translate every line in the input to Spanish and save the translations to es.txt",
    steps: "each-line foreach [translate llm], save file",
    edges: "each-line→save",
    fields: { "each-line": { items: "{{input.lines}}" }, save: { content: "{{steps.each-line.output}}" } },
  },
  {
    prompt:
      "Ask the research agent to find the three biggest competitors, summarise the findings, and save to competitors.md",
    steps: "research agent, summarise llm, save file",
    fields: {
      research: { capability: "research" },
      summarise: { prompt: "Summarise the findings.\n\n{{steps.research.output}}" },
    },
  },
  {
    prompt: "Check if the email is urgent. If it is urgent, post it to Slack, else ignore it",
    steps: "judge llm, check condition, post http",
    edges: "judge→check, check(true)→post",
    fields: {
      check: { left: "{{steps.judge.output}}", operator: "contains", right: "yes" },
      post: { url: "{{vars.slackWebhookUrl}}" },
    },
    notices: ["needs_variable"],
  },
  {
    prompt:
      "Loop over the orders: fetch https://api.example.com/orders/{id}, summarise it and append the summary to orders.md",
    steps: "each-order foreach [fetch http, summarise llm, append file]",
    fields: {
      "each-order": { items: "{{input.orders}}" },
      fetch: { url: "https://api.example.com/orders/{{item.id}}" },
    },
  },
  {
    prompt:
      "Pull data from api.example.com/v1/items, keep only items with status active, sort by price and save as items.json",
    steps: "pull http, keep transform, sort transform, save file",
    fields: {
      pull: { url: "https://api.example.com/v1/items" },
      keep: { expression: 'steps.pull.output[status="active"]' },
      sort: { expression: "steps.keep.output^(<price)" },
    },
  },
  {
    prompt: "Retry fetching https://flaky.example.com up to 3 times, then save the response",
    steps: "fetch http, save file",
    fields: { fetch: { maxRetries: 3 }, save: { path: "response.json" } },
  },
  {
    prompt: "Summarize https://en.wikipedia.org/wiki/Cat in 3 bullet points",
    steps: "fetch http, summarize llm",
    fields: { summarize: { prompt: "Summarize it in 3 bullet points.\n\n{{steps.fetch.output}}" } },
  },
  {
    prompt: "Fetch a URL, analyze it with an LLM, and save the result to a file",
    steps: "fetch http, analyze llm, save file",
    fields: {
      fetch: { url: "{{input.url}}" },
      save: { path: "analysis.txt", content: "{{steps.analyze.output}}" },
    },
  },
  {
    prompt:
      "Detect the sentiment, if positive send a thank you email to anna@example.com, if negative create a ticket at https://tickets.example.com/api",
    steps: "detect llm, check condition, email email, check-2 condition, create http",
    edges: "detect→check, check(true)→email, email→check-2, check(false)→check-2, check-2(true)→create",
  },
  {
    prompt: "Extract all email addresses from the text and for each address send an invitation",
    steps: "extract llm, lines transform, each-address foreach [write llm, email email]",
    edges: "extract→lines, lines→each-address",
    fields: { "each-address": { items: "{{steps.lines.output}}" }, email: { to: "{{item}}" } },
  },
  {
    prompt: "Monitor https://example.com every 5 minutes and alert me at ops@example.com if it is down",
    steps: "monitor http, email email",
    edges: "monitor(error)→email",
    notices: ["needs_trigger"],
  },
  {
    prompt:
      'Fetch https://x.example/a and then if the response contains "error", email admin@example.com that the service is broken. Finally save the response to log.json.',
    steps: "fetch http, check condition, email email, save file",
    edges: "fetch→check, check(true)→email, email→save, check(false)→save",
    fields: {
      check: { left: "{{steps.fetch.output}}", operator: "contains", right: "error" },
      email: { text: "The service is broken" },
    },
  },
  {
    prompt:
      "Unless the order is empty, send it to https://erp.example.com. Otherwise, wait 2 hours and fetch https://api.example.com/retry.",
    steps: "check condition, send http, wait delay, fetch http",
    edges: "check(false)→send, check(true)→wait, wait→fetch",
  },
  {
    prompt:
      "Search the knowledge base for the answer to the question, draft a reply and ask a human to review it before sending it to the customer",
    steps: "ask-documents document_query, draft llm, approve approval, email email",
    fields: {
      "ask-documents": { query: "{{input.question}}" },
      email: { to: "{{input.email}}", text: "{{steps.draft.output}}" },
    },
  },
  {
    prompt:
      "When a new order arrives, check if the amount is over 1000, ask the manager for approval, otherwise post it to https://erp.example.com",
    steps: "check condition, approve approval, post http",
    edges: "check(true)→approve, check(false)→post",
    fields: { approve: { message: "Ask the manager for approval.\n\n{{input}}" } },
    notices: ["needs_trigger"],
  },
  {
    prompt: "Fetch https://example.com/a. If it fails, ignore it. Then save it to a.json",
    steps: "fetch http, save file",
    edges: "fetch(error)→save, fetch→save",
  },
  {
    prompt: "Do this: 1. fetch https://example.com/data 2. summarize 3. send email to team@example.com",
    steps: "fetch http, summarize llm, email email",
    edges: "fetch→summarize, summarize→email",
    fields: { summarize: { prompt: "Summarize.\n\n{{steps.fetch.output}}" } },
  },
  {
    prompt: "Retry calling https://flaky.example.com up to 5 times and notify ops@example.com on failure",
    steps: "fetch http, email email",
    edges: "fetch(error)→email",
    fields: { fetch: { maxRetries: 5 } },
  },
  {
    prompt:
      "Get the issues from https://api.example.com/issues, classify each by severity and save it to issues.txt",
    steps: "get http, each-item foreach [classify llm], save file",
    edges: "get→each-item, each-item→save",
    fields: {
      "each-item": { items: "{{steps.get.output}}" },
      classify: { prompt: expect.stringMatching(/^Classify it by severity\..*\n\n\{\{item\}\}$/s) },
    },
  },
  {
    prompt: "Fetch https://example.com/data every time and save it to data.json",
    steps: "fetch http, save file",
  },
];
