import { twilio } from "../../apps/twilio.ts";
import fixture from "./fixtures/twilio.json" with { type: "json" };
import type { AppExamples } from "./support/app-examples.ts";

const accountSid = "ACaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
const message = {
  sid: "SMaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
  status: "queued",
  direction: "outbound-api",
  from: "+15557122661",
  to: "+15558675310",
  body: "Hi there",
  date_created: "Thu, 24 Aug 2023 05:01:45 +0000",
};
const received = { ...message, status: "received", direction: "inbound" };
const next = `/2010-04-01/Accounts/${accountSid}/Messages.json?PageSize=1&Page=1&PageToken=PASMa`;
const to = "+15558675310";
const from = "+15557122661";
const listed: [object, object] = [
  { body: { messages: [received], next_page_uri: next } },
  { body: { messages: [{ ...received, sid: "SMbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb" }], next_page_uri: null } },
];

export const twilioExamples: AppExamples = {
  app: twilio,
  source: "https://www.twilio.com/docs/messaging/api/message-resource",
  fixture,
  fields: { accountSid },
  username: accountSid,
  test: { body: { sid: accountSid, friendly_name: "Northwind", status: "active" }, account: "Northwind" },
  actions: {
    send_sms: {
      input: { to, from, body: "Hi there", mediaUrl: "https://example.com/photo.jpg" },
      answer: { status: 201, body: message },
    },
    send_whatsapp: {
      input: { to, from, body: "Hi there" },
      answer: { status: 201, body: { ...message, from: `whatsapp:${from}`, to: `whatsapp:${to}` } },
    },
    make_call: {
      input: { to, from, text: "Backups failed & wait <now>" },
      answer: {
        status: 201,
        body: { sid: "CAaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", status: "queued", from, to },
      },
      request: {
        method: "POST",
        path: `/2010-04-01/Accounts/${accountSid}/Calls.json`,
        body: {
          To: to,
          From: from,
          Twiml: "<Response><Say>Backups failed &amp; wait &lt;now&gt;</Say></Response>",
        },
      },
    },
    get_message: { input: { sid: message.sid }, answer: { body: { ...message, status: "delivered" } } },
    list_messages: { input: { to, sentAfter: "2023-08-01" }, pages: listed },
    look_up_number: {
      input: { number: "+14159929960" },
      answer: {
        body: {
          valid: true,
          phone_number: "+14159929960",
          national_format: "(415) 992-9960",
          country_code: "US",
        },
      },
      request: { method: "GET", path: "/v2/PhoneNumbers/%2B14159929960" },
    },
  },
  options: {
    numbers: {
      pages: [
        {
          body: {
            incoming_phone_numbers: [{ phone_number: from, friendly_name: "(555) 712-2661" }],
            next_page_uri: `/2010-04-01/Accounts/${accountSid}/IncomingPhoneNumbers.json?Page=1`,
          },
        },
        { body: { incoming_phone_numbers: [], next_page_uri: null } },
      ],
      first: { value: from, label: "(555) 712-2661" },
    },
  },
  triggers: { new_message: { kind: "polling", input: { to }, pages: listed } },
  errors: [
    {
      status: 400,
      body: { code: 21211, message: "Invalid 'To' Phone Number: 123", status: 400 },
      says: "Twilio: The number in To is not a valid phone number. Write it with its country code: +15558675310.",
    },
    {
      status: 400,
      body: { code: 21614, message: "'To' number is not a valid mobile number" },
      says: "Twilio: 'To' number is not a valid mobile number",
    },
  ],
};
