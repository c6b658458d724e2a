import { defineApp } from "./define-app.ts";

const to = {
  type: "string",
  title: "To",
  description: "A phone number with its country code.",
  required: true,
  example: "+15558675310",
} as const;
const from = {
  type: "string",
  title: "From",
  description: "One of your Twilio numbers, or a messaging service.",
  required: true,
  options: "numbers",
  example: "+15557122661",
} as const;
const body = { type: "string", title: "Text", format: "multiline", required: true, maxLength: 1600 } as const;
const mediaUrl = {
  type: "string",
  title: "Media",
  description: "The address of a picture or document.",
  format: "uri",
  advanced: true,
} as const;
const recipient = { type: "string", title: "To", example: "+15558675310" } as const;
const account = "/2010-04-01/Accounts/{{connection.accountSid}}";

const message = {
  sid: "{{body.sid}}",
  status: "{{body.status}}",
  from: "{{body.from}}",
  to: "{{body.to}}",
  body: "{{body.body}}",
  dateCreated: "{{body.date_created}}",
};
const messageItem = {
  sid: "{{item.sid}}",
  status: "{{item.status}}",
  direction: "{{item.direction}}",
  from: "{{item.from}}",
  to: "{{item.to}}",
  body: "{{item.body}}",
  dateCreated: "{{item.date_created}}",
};
const messageSample = {
  sid: "SMaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
  status: "queued",
  from: "+15557122661",
  to: "+15558675310",
  body: "Hi there",
  dateCreated: "Thu, 24 Aug 2023 05:01:45 +0000",
};
const itemSample = { ...messageSample, status: "received", direction: "inbound" };
const list = { kind: "next_url", next: "{{body.next_page_uri}}", size: 1000 } as const;

export const twilio = defineApp({
  id: "twilio",
  title: "Twilio",
  description: "Send text messages and WhatsApp messages, and make calls.",
  category: "communication",
  synonyms: ["sms", "text", "phone", "call", "whatsapp"],
  icon: { letters: "Tw", color: "#f22f46" },
  documentation: "https://www.twilio.com/docs/usage/api",
  baseUrl: "https://api.twilio.com",
  hosts: ["api.twilio.com", "lookups.twilio.com"],
  fields: {
    accountSid: {
      type: "string",
      title: "Account SID",
      required: true,
      example: "ACxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    },
  },
  auth: [
    {
      kind: "basic",
      username: "Account SID or API key SID",
      password: "Auth token or API key secret",
      help: "Both are on the first page of https://console.twilio.com.",
    },
  ],
  test: { request: { path: `${account}.json` }, account: "{{body.friendly_name}}" },
  errors: {
    code: "{{body.code}}",
    message: "{{body.message}}",
    words: {
      "21211": "The number in To is not a valid phone number. Write it with its country code: +15558675310.",
      "21608": "A trial account can only write to verified numbers.",
      "21610": "The person has unsubscribed with STOP.",
      "21606": "The number in From cannot send this message. Choose one of your Twilio numbers.",
    },
  },
  options: {
    numbers: {
      title: "Your numbers",
      request: { path: `${account}/IncomingPhoneNumbers.json`, query: { PageSize: "{{pageSize}}" } },
      items: "{{body.incoming_phone_numbers}}",
      paging: list,
      value: "{{item.phone_number}}",
      label: "{{item.friendly_name}}",
    },
  },
  actions: {
    send_sms: {
      title: "Send a text message",
      description: "Sends an SMS, or an MMS when it has media.",
      synonyms: ["sms", "mms"],
      input: { to, from, body, mediaUrl },
      request: {
        method: "POST",
        path: `${account}/Messages.json`,
        form: {
          To: "{{input.to}}",
          From: "{{input.from}}",
          Body: "{{input.body}}",
          MediaUrl: "{{input.mediaUrl}}",
        },
      },
      output: message,
      sample: messageSample,
    },
    send_whatsapp: {
      title: "Send a WhatsApp message",
      description: "Sends a message with a WhatsApp number of your account.",
      input: { to, from, body, mediaUrl },
      request: {
        method: "POST",
        path: `${account}/Messages.json`,
        form: {
          To: "whatsapp:{{input.to}}",
          From: "whatsapp:{{input.from}}",
          Body: "{{input.body}}",
          MediaUrl: "{{input.mediaUrl}}",
        },
      },
      output: message,
      sample: { ...messageSample, from: "whatsapp:+15557122661", to: "whatsapp:+15558675310" },
    },
    make_call: {
      title: "Make a call",
      description: "Calls a number and reads a text aloud.",
      synonyms: ["phone", "voice", "speak"],
      input: { to, from, text: { type: "string", title: "Text to read", required: true, maxLength: 3000 } },
      prepare: ({ input }) => ({
        twiml: `<Response><Say>${escapeXml(String(input["text"]))}</Say></Response>`,
      }),
      request: {
        method: "POST",
        path: `${account}/Calls.json`,
        form: { To: "{{input.to}}", From: "{{input.from}}", Twiml: "{{prepared.twiml}}" },
      },
      output: { sid: "{{body.sid}}", status: "{{body.status}}", from: "{{body.from}}", to: "{{body.to}}" },
      sample: {
        sid: "CAaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        status: "queued",
        from: "+15557122661",
        to: "+15558675310",
      },
    },
    get_message: {
      title: "Get a message",
      description: "Reads a message and whether it was delivered.",
      synonyms: ["status", "delivered"],
      input: { sid: { type: "string", title: "Message", required: true, example: messageSample.sid } },
      request: { path: `${account}/Messages/{{input.sid}}.json` },
      output: message,
      sample: { ...messageSample, status: "delivered" },
    },
    list_messages: {
      title: "List messages",
      description: "Lists the messages of the account, the newest first.",
      input: {
        to: recipient,
        sentAfter: { type: "string", title: "Sent after", format: "date", advanced: true },
      },
      request: {
        path: `${account}/Messages.json`,
        query: { To: "{{input.to}}", "DateSent>": "{{input.sentAfter}}", PageSize: "{{pageSize}}" },
      },
      items: "{{body.messages}}",
      paging: list,
      output: messageItem,
      sample: [itemSample],
    },
    look_up_number: {
      title: "Look up a number",
      description: "Checks a phone number and tells its country and national form.",
      synonyms: ["validate", "verify"],
      input: { number: { ...to, title: "Number" } },
      request: { path: "https://lookups.twilio.com/v2/PhoneNumbers/{{input.number}}" },
      output: {
        valid: "{{body.valid}}",
        number: "{{body.phone_number}}",
        national: "{{body.national_format}}",
        country: "{{body.country_code}}",
      },
      sample: { valid: true, number: "+14159929960", national: "(415) 992-9960", country: "US" },
    },
  },
  triggers: {
    new_message: {
      title: "New message",
      description: "Starts a run for each message that one of your numbers receives.",
      synonyms: ["sms", "received", "inbound"],
      input: { to: { ...from, title: "Number" } },
      polling: {
        request: {
          path: `${account}/Messages.json`,
          query: { To: "{{input.to}}", PageSize: "{{pageSize}}" },
        },
        items: "{{body.messages}}",
        paging: { kind: "next_url", next: "{{body.next_page_uri}}", size: 50 },
        key: "{{item.sid}}",
        name: "{{item.from}}: {{item.body}}",
        order: "newest_first",
        output: messageItem,
      },
      sample: itemSample,
    },
  },
});

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
